// The panel Winner explains what a search without a device ranked first.
#include "app/session/search_run.h"
#include "tests/gui/script.h"

namespace loom::window::winner_panel_test {
namespace {

constexpr const char* kPanel = "//###winner";

TEST_F(Bench, TheWinnerIsExplainedFromTheConstructionOn) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 64, .n = 64, .k = 32});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before && model.programs().of(0); }));
    ctx->WindowFocus(kPanel);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "panel Search"); }));
    model.search().choose({{tune::Strategy::Random}, 2, 60});
    // A search begins only when it is known which device is here.
    IM_CHECK(yieldUntil(ctx, [&] {
      if (!model.search().state()) model.search().start();
      return model.search().state() != nullptr;
    }));
    IM_CHECK(yieldUntil(ctx, [&] { return !model.search().isRunning() && model.search().state()->winner; }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "Why not faster"); }));
    IM_CHECK(shows(ctx, kPanel, "not measured"));
    const auto& path = model.search().state()->winner->path;
    IM_CHECK(path.steps.empty() || shows(ctx, kPanel, "the construction"));
    // The winner becomes a branch; from there the path is empty.
    ctx->ItemClick("//###winner/###apply");
    IM_CHECK(yieldUntil(ctx, [&] { return model.programs().of(model.navigation().current()) != nullptr; }));
    IM_CHECK(model.navigation().node().name.find("Winner: ") == 0);
    ctx->ItemClick("//###winner/###fromhere");
    IM_CHECK(
        yieldUntil(ctx, [&] { return !model.search().isRunning() && shows(ctx, kPanel, "your schedule itself"); }));
  });
}

}  // namespace
}  // namespace loom::window::winner_panel_test
