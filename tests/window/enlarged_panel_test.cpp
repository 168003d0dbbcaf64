// A panel over the whole window.
#include "tests/gui/script.h"
#include "tests/window/panel_key.h"

namespace loom::window::enlarged_panel_test {
namespace {

ImGuiWindow* enlarged(ImGuiTestContext* ctx, const std::string& panel) {
  ImGuiWindow* window = ctx->WindowInfo(("//###whole-" + panel).c_str(), ImGuiTestOpFlags_NoError).Window;
  return window != nullptr && window->LastFrameActive >= ImGui::GetFrameCount() - 1 ? window : nullptr;
}

TEST_F(Bench, APanelTakesTheWholeWindowAndComesBack) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().select(48);
    ctx->WindowFocus("//###memory");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###memory", "X_shared"); }));
    ctx->KeyPress(ImGuiKey_F11);
    ctx->SleepNoSkip(0.3F, 0.02F);
    const ImGuiWindow* whole = enlarged(ctx, "memory");
    IM_CHECK(whole != nullptr);
    IM_CHECK_GT(whole->Size.x, 0.99F * ImGui::GetMainViewport()->WorkSize.x);
    IM_CHECK(shows(ctx, "###whole-memory", "X_shared"));
    IM_CHECK(!shows(ctx, "###memory", "X_shared"));
    ctx->KeyPress(ImGuiKey_RightArrow);  // one can step meanwhile
    ctx->Yield(2);
    IM_CHECK_EQ(modelOf(ctx).navigation().node().number, 49);
    ctx->KeyPress(ImGuiKey_F11);
    ctx->Yield(3);
    IM_CHECK(enlarged(ctx, "memory") == nullptr);
    IM_CHECK(shows(ctx, "###memory", "X_shared"));
  });
}

TEST_F(Bench, EveryPanelTakesTheWholeWindow) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(48);
    IM_CHECK(yieldUntil(ctx, [&] { return model.models().isFinal(48); }));
    for (const panels::PanelEntry& entry : panels::panelTable()) {
      workbenchOf(ctx).enlarge(entry.id);
      ctx->SleepNoSkip(0.5F, 0.02F);
      IM_CHECK_SILENT(enlarged(ctx, entry.id) != nullptr);
      IM_CHECK_SILENT(!drawnText(std::string("###whole-") + entry.id).empty());
    }
    const char* last = panels::panelTable().back().id;
    workbenchOf(ctx).enlarge(last);
    ctx->Yield(2);
    IM_CHECK(enlarged(ctx, last) == nullptr);
  });
}

TEST_F(Bench, AnotherPanelThatIsCalledEndsTheOneOverTheWholeWindow) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().select(48);
    model.comparison().with(27);
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(48) && model.programs().of(27); }));
    workbenchOf(ctx).settings().bothSides = true;
    ctx->WindowFocus("//###loopnest");
    ctx->Yield(2);
    ctx->MenuClick("//##MainMenuBar/###view/###wholewindow");
    ctx->SleepNoSkip(0.5F, 0.02F);
    IM_CHECK(enlarged(ctx, "loopnest") != nullptr);
    ctx->KeyPress(ImGuiMod_Ctrl | digitOf("cuda"));
    ctx->Yield(4);
    IM_CHECK(enlarged(ctx, "loopnest") == nullptr);
    IM_CHECK(shows(ctx, "###cuda", "wmma"));
    const ImGuiWindow* memory = ctx->WindowInfo("//###memory").Window;
    ctx->MouseMoveToPos(memory->DC.DockTabItemRect.GetCenter());
    ctx->MouseClick();
    ctx->Yield(2);
    ctx->MouseDoubleClick();
    ctx->SleepNoSkip(0.2F, 0.02F);
    IM_CHECK(enlarged(ctx, "memory") != nullptr);
    ctx->ItemClick("//###whole-memory/#CLOSE");
    ctx->Yield(2);
    IM_CHECK(enlarged(ctx, "memory") == nullptr);
  });
}

}  // namespace
}  // namespace loom::window::enlarged_panel_test
