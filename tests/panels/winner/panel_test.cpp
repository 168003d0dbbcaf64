// The panel Winner explains what a search without a device ranked first.
#include "app/panels/winner/panel.h"
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
    IM_CHECK(showsBelow(ctx, kPanel, "Side by side"));
    IM_CHECK(showsBelow(ctx, kPanel, "time, predicted"));
    // All that stands beside each other is of the same kind.
    for (const auto& state : model.search().state()->winner->path.states) {
      const auto found = model.search().state()->winner->models.find(state.kernel->key);
      IM_CHECK(found != model.search().state()->winner->models.end());
      const auto* estimate = found->second->estimate();
      IM_CHECK(estimate != nullptr && state.predicted);
      IM_CHECK(!model.search().state()->winner->isByCode || estimate->microseconds == *state.predicted);
    }
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

// The times of workers that measure with the CPU executor say nothing of a GPU: their winner is explained by predicted
// times, and the panel says why.
std::string* gWorkers = nullptr;

TEST_F(Bench, TheWinnerOfWorkersOnCpusIsExplainedByPredictedTimes) {
  std::string workers = ownCommand() + " worker";
  gWorkers = &workers;
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    auto& model = modelOf(ctx);
    const auto before = model.opened();
    model.documents().openMatmul({.m = 64, .n = 64, .k = 32});
    IM_CHECK(yieldUntil(ctx, [&] { return model.opened() != before && model.programs().of(0); }));
    ctx->WindowFocus(kPanel);
    session::SearchChoice choice{{tune::Strategy::Random}, 2, 60};
    choice.workers = *gWorkers;
    model.search().choose(choice);
    // A search begins only when it is known which device is here.
    IM_CHECK(yieldUntil(ctx, [&] {
      if (!model.search().state()) model.search().start();
      return model.search().state() != nullptr;
    }));
    IM_CHECK(yieldUntil(ctx, [&] { return !model.search().isRunning() && model.search().state()->winner; }));
    const auto state = model.search().state();
    IM_CHECK(!state->problem);
    IM_CHECK(state->isOnCpu && state->hasDevice);
    IM_CHECK(state->best().second->measured.has_value());
    IM_CHECK(!state->winner->path.isMeasured);
    IM_CHECK(!state->winner->unmeasured);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "Why not faster"); }));
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, kPanel, "the CPU measures here"); }));
  });
}

// Predicted times say why nothing was measured: no device, one whose times say nothing, or what went wrong.
TEST(WinnerPanel, PredictedTimesSayWhyTheyAreNotMeasured) {
  const Look look;
  auto winner = std::make_shared<session::SearchedWinner>();
  session::SearchState state;
  state.device = "NVIDIA H200";
  state.winner = winner;
  const auto note = [&] { return panels::timesNote(look, state); };
  EXPECT_EQ(note(),
            "Times are predicted from the program for NVIDIA H200, not measured: there is no GPU to measure with.");
  state.isOnCpu = true;
  EXPECT_NE(note().find("not measured: the CPU measures here"), std::string::npos) << note();
  state.isOnCpu = false;
  winner->unmeasured.emplace().message = message("ran longer than {:g} s", 5.0);
  EXPECT_NE(note().find("not measured: measuring failed (ran longer than 5 s)."), std::string::npos) << note();
  winner->unmeasured.reset();
  winner->isByCode = true;
  EXPECT_NE(note().find("predicted from the machine code for NVIDIA H200"), std::string::npos) << note();
  winner->path.isMeasured = true;
  EXPECT_EQ(note(), "All states measured in one run.");
}

}  // namespace
}  // namespace loom::window::winner_panel_test
