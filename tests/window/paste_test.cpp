// What lies in the clipboard as people have it: a page with prose, output and code.
#include <imgui_internal.h>

#include "tests/gui/script.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::paste_test {
namespace {

const std::string kPastedPage = tests::fileText("programs/pasted_page.md");

bool pageIsOpen(ImGuiTestContext* ctx) {
  return yieldUntil(ctx, [&] {
    const auto* target = modelOf(ctx).documents().target();
    return target != nullptr && target->title == "pasted" && modelOf(ctx).navigation().node().number == 2;
  });
}

TEST_F(Bench, APageInTheClipboardOpensOverThePanels) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ImGui::SetClipboardText(kPastedPage.c_str());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    IM_CHECK(pageIsOpen(ctx));
    ctx->Yield(4);
    IM_CHECK(shows(ctx, "###problems", "passed over"));
  });
}

TEST_F(Bench, APageInTheClipboardOpensInPlaceOfANewProduct) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_N);
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists("//###newmatmul/###create"));
    ImGui::SetClipboardText(kPastedPage.c_str());
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    IM_CHECK(pageIsOpen(ctx));
    ctx->Yield(3);
    IM_CHECK(!ctx->ItemExists("//###newmatmul/###create"));
  });
}

TEST_F(Bench, APageThatIsPastedIntoTheConsoleOpens) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ImGui::SetClipboardText(kPastedPage.c_str());
    ctx->WindowFocus("//###console");
    ctx->SetRef("//###console");
    ctx->ItemClick("###input");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(modelOf(ctx).documents().target()->lessonName.c_str(), "tensor_core");
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(pageIsOpen(ctx));
  });
}

// A script of the console is applied where one stands: loops, numbers, names of its own.
TEST_F(Bench, TheConsoleTakesAScript) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const int at = modelOf(ctx).navigation().node().number;
    ImGui::SetClipboardText(tests::scheduleText("console_script").c_str());
    ctx->WindowFocus("//###console");
    ctx->SetRef("//###console");
    ctx->ItemClick("###input");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    IM_CHECK(yieldUntil(ctx, [&] { return modelOf(ctx).navigation().node().number == at + 2; }));
    IM_CHECK(shows(ctx, "###console", "→ 2 steps, now at step"));
  });
}

// Text that holds no program does nothing over the panels.
TEST_F(Bench, OtherTextInTheClipboardIsLeftAlone) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const auto opened = modelOf(ctx).opened();
    ImGui::SetClipboardText("a shopping list: for i in apples, pears");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_V);
    ctx->Yield(10);
    IM_CHECK_EQ(modelOf(ctx).opened(), opened);
    IM_CHECK(!modelOf(ctx).documents().openProblem().has_value());
    IM_CHECK(!ctx->ItemExists("//###openproblem/###ok"));
  });
}

}  // namespace
}  // namespace loom::window::paste_test
