#include <imgui_internal.h>

#include <algorithm>
#include <string>

#include "tests/gui/script.h"

namespace loom::window {
namespace {

// The first line that has `what`; -1: none.
int lineOf(const std::vector<std::string>& lines, const char* what) {
  auto found = std::ranges::find_if(lines, [&](const auto& line) { return line.find(what) != std::string::npos; });
  return found == lines.end() ? -1 : int(found - lines.begin());
}

void clickLine(ImGuiTestContext* ctx, const char* panel, int line) {
  ctx->WindowFocus((std::string("//###") + panel).c_str());
  const ImGuiTestItemInfo code = ctx->WindowInfo((std::string("//###") + panel + "/###code").c_str());
  ctx->SetRef(code.Window);
  ctx->ItemClick(("$$" + std::to_string(line) + "/###line").c_str());
  ctx->Yield(2);
}

const workbench::Derived& derivedOf(ImGuiTestContext* ctx) { return *modelOf(ctx).derived(modelOf(ctx).current()); }

TEST_F(Bench, FoundLineIsSelectedAndCopied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    ctx->KeyChars("T.init");
    ctx->Yield(2);
    snap(ctx, "find");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield(2);
    const auto& script = derivedOf(ctx).script;
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), (script[std::size_t(lineOf(script, "T.init"))] + "\n").c_str());
  });
}

TEST_F(Bench, EnterGoesToTheNextPlaceFound) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    ctx->WindowFocus("//###cuda");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ctx->Yield(2);
    ctx->KeyChars("for (int");
    for (int i = 0; i < 2; ++i) {
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(3);
    }
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield(2);
    IM_CHECK(std::string(ImGui::GetClipboardText()).find("int k = 0") != std::string::npos);  // the third
  });
}

TEST_F(Bench, SelectedLinesOrElseAllAreCopied) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    const auto& script = derivedOf(ctx).script;
    ctx->WindowFocus("//###tvmscript");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield();
    IM_CHECK_EQ(std::size_t(std::ranges::count(std::string(ImGui::GetClipboardText()), '\n')), script.size());
    clickLine(ctx, "tvmscript", 4);
    ctx->KeyDown(ImGuiMod_Shift);
    ctx->ItemClick("$$6/###line");
    ctx->KeyUp(ImGuiMod_Shift);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_C);
    ctx->Yield();
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), (script[4] + "\n" + script[5] + "\n" + script[6] + "\n").c_str());
  });
}

TEST_F(Bench, SelectedLineIsLinkedBothWays) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    workbench::Workbench& model = modelOf(ctx);
    const workbench::Derived& derived = derivedOf(ctx);
    clickLine(ctx, "tvmscript", lineOf(derived.script, "with T.block(\"Z\")"));
    IM_CHECK_EQ(model.selected().size(), 1U);
    const ir::Id block = model.selected().front();
    IM_CHECK(model.history().node(0).state.tree().isBlock(block));
    // The statement's line of the kernel belongs to that block; selecting it leads back.
    const int line = lineOf(derived.cuda, "+= float(X[");
    IM_CHECK(derived.kernel.source.lines[std::size_t(line)].block == block);
    model.selectIds({});
    clickLine(ctx, "cuda", line);
    IM_CHECK(model.isSelected(block));
    ctx->KeyPress(ImGuiKey_UpArrow, 3);  // to `if (k == 0)` and on to the loop
    ctx->Yield(2);
    IM_CHECK(!model.selected().empty());
    ctx->KeyPress(ImGuiKey_DownArrow, 3);
    ctx->Yield(2);
    IM_CHECK(model.isSelected(block));
  });
}

// In a long program the other pane scrolls to what was selected here.
TEST_F(Bench, LinkedLineComesIntoView) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    workbench::Workbench& model = modelOf(ctx);
    model.goToChapter(int(model.target()->chapterNodes.size()) - 1);
    IM_CHECK(yieldUntil(ctx, [&] { return model.derived(model.current()) != nullptr; }));
    ctx->Yield(3);
    const workbench::Derived& derived = derivedOf(ctx);
    const ImGuiTestItemInfo cuda = ctx->WindowInfo("//###cuda/###code");
    cuda.Window->ScrollTarget.y = 0;
    ctx->Yield(3);
    IM_CHECK_LT(cuda.Window->Scroll.y, 1.0F);
    const int store = lineOf(derived.cuda, "store_matrix_sync");
    IM_CHECK_GT(store, 30);
    const ir::Id block = derived.kernel.source.lines[std::size_t(store)].block;
    model.selectIds({block});
    ctx->Yield(3);
    const float y = float(store) * workbenchOf(ctx).look().px(15);
    IM_CHECK_GT(y, cuda.Window->Scroll.y - 1);
    IM_CHECK_LT(y, cuda.Window->Scroll.y + cuda.Window->Size.y);
  });
}

}  // namespace
}  // namespace loom::window
