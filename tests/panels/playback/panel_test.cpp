#include <string>

#include "app/panels/playback/view/playback.h"
#include "tests/gui/compiling_bench.h"
#include "tests/gui/script.h"
#include "tests/panels/loop_nest/nest.h"

namespace loom::window::playback_panel_test {
namespace {

// The panel is in front and shows the life of a block of the lesson's last state.
bool playbackIsShown(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return false;
  auto& model = modelOf(ctx);
  model.navigation().select(int(model.navigation().history().nodes().size()) - 1);
  ctx->WindowFocus("//###playback");
  ctx->SetRef("//###playback");
  return yieldUntil(ctx, [&] { return ctx->ItemExists("tracks"); });
}

// Presses the mouse on a share of an item's width and height.
void press(ImGuiTestContext* ctx, const char* item, float x, float y) {
  const ImRect rect = ctx->ItemInfo(item).RectFull;
  ctx->MouseMoveToPos({rect.Min.x + x * rect.GetWidth(), rect.Min.y + y * rect.GetHeight()});
  ctx->MouseDown();
  ctx->Yield(2);
  ctx->MouseUp();
  ctx->Yield(2);
}

std::int64_t valueOf(ImGuiTestContext* ctx, const std::string& loop) {
  const model::TimelinePosition* m = modelOf(ctx).selection().position();
  if (m == nullptr) return -2;
  for (const auto& l : m->loops)
    if (l.var->name == loop) return l.value;
  return -1;
}

TEST_F(Bench, ScrubbingABlocksLifeIsFollowedByTheOtherPanels) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    auto& model = modelOf(ctx);
    IM_CHECK(model.selection().position() == nullptr);
    IM_CHECK(shows(ctx, "###playback", " clocks = shared memory "));  // the step's parts, the longest first
    press(ctx, "life", 0.5F, 0.5F);
    IM_CHECK(model.selection().position() != nullptr);
    const std::int64_t middle = valueOf(ctx, "k_0_0");
    IM_CHECK(middle >= 5 && middle <= 10);
    press(ctx, "life", 0.6F, 0.5F);
    IM_CHECK_GT(valueOf(ctx, "k_0_0"), middle);
    // The first thing of a step that copies: Thread binding goes there by itself.
    ctx->WindowFocus("//###threads");
    IM_CHECK(yieldUntil(ctx, [&] {
      return ctx->ItemExists("//###threads/##statement") && !isDisabled(ctx, "//###threads/##statement");
    }));
    press(ctx, "tracks", 0.06F, 0.125F);
    IM_CHECK(model.selection().position() != nullptr);
    const std::string step = std::to_string(valueOf(ctx, "k_0_0"));
    IM_CHECK(shows(ctx, "###playback", "k_0_0 = " + step + ", pass "));
    IM_CHECK(shows(ctx, "###threads", "X_shared reads X"));
    ctx->WindowFocus("//###memory");
    ctx->Yield(3);
    IM_CHECK(!model.selection().position()->moves.empty());
    ctx->WindowFocus("//###loopnest");
    ctx->Yield(3);
    IM_CHECK(shows(ctx, "###loopnest", "k_0_0 = " + step));
    // Another state ends it.
    model.navigation().select(0);
    IM_CHECK(model.selection().position() == nullptr);
  });
}

// Below the pipes: what each slot of the ring holds, which a drag moves through.
TEST_F(Bench, SlotsOfAPipelineSayWhatTheyHold) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(pipelineIsShown(ctx));
    ctx->WindowFocus("//###playback");
    ctx->SetRef("//###playback");
    IM_CHECK(yieldUntil(ctx, [&] { return ctx->ItemExists("pipeline"); }));
    IM_CHECK(shows(ctx, "###playback", "slot 1"));
    IM_CHECK(shows(ctx, "###playback", "k_0 = 0"));
    press(ctx, "pipeline", 0.5F, 0.8F);
    IM_CHECK(modelOf(ctx).selection().position() != nullptr);
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###playback", "X_shared, Y_shared: k_0 = "); }));
    IM_CHECK(tip(ctx).find("Slot 1 of X_shared, Y_shared") != std::string::npos);
    // A program without a pipeline has no such rows.
    modelOf(ctx).navigation().select(0);
    IM_CHECK(yieldUntil(ctx, [&] { return !ctx->ItemExists("pipeline"); }));
  });
}

TEST_F(Bench, BarriersAndWhatIsDoneAreNamedOnTheBars) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(startIsShown(ctx));
    modelOf(ctx).navigation().select(48);
    ctx->WindowFocus("//###playback");
    IM_CHECK(yieldUntil(ctx, [&] { return shows(ctx, "###playback", "load X_shared_wmma.matrix_a_o"); }));
    IM_CHECK(shows(ctx, "###playback", "barrier"));
  });
}

TEST_F(Bench, AClickOnABarSelectsItsStatementEverywhere) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    auto& model = modelOf(ctx);
    model.selection().select({});
    // The row of tensor cores, near the end of the step: the product.
    press(ctx, "tracks", 0.97F, 0.625F);
    IM_CHECK_EQ(model.selection().ids().size(), std::size_t(1));
    IM_CHECK(model.selection().position() != nullptr &&
             model.selection().position()->isRunning(model.selection().ids().front()));
  });
}

TEST_F(Bench, KeysAndButtonsGoThroughTheLifeOfABlock) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    auto& model = modelOf(ctx);
    const int node = model.navigation().current();
    ctx->ItemClick("###stepforward");
    IM_CHECK(model.selection().position() != nullptr);
    ctx->KeyPress(ImGuiKey_PageDown);
    const double first = model.selection().position()->clocks;
    const std::int64_t step = valueOf(ctx, "k_0_0");
    ctx->KeyPress(ImGuiKey_PageDown);
    IM_CHECK_EQ(valueOf(ctx, "k_0_0"), step + 1);
    IM_CHECK(shows(ctx, "###playback", "k_0_0 = " + std::to_string(step + 1) + ", pass "));
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->KeyPress(ImGuiKey_PageUp);
    ctx->KeyPress(ImGuiKey_PageUp);
    IM_CHECK_EQ(valueOf(ctx, "k_0_0"), step);
    IM_CHECK(shows(ctx, "###playback", "k_0_0 = " + std::to_string(step) + ", pass "));
    IM_CHECK(std::abs(model.selection().position()->clocks - first) < 1e-6 * first + 1e-6);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_RightArrow);
    IM_CHECK_GT(model.selection().position()->clocks, first);
    ctx->KeyPress(ImGuiKey_Home);
    IM_CHECK_EQ(model.selection().position()->clocks, 0.0);
    IM_CHECK_EQ(model.navigation().current(), node);  // the arrows were the panel's
    ctx->KeyPress(ImGuiKey_Escape);
    IM_CHECK(model.selection().position() == nullptr);
  });
}

TEST_F(Bench, ABlocksLifePlaysUntilItIsPaused) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    auto& model = modelOf(ctx);
    ctx->ItemClick("###play");
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().position() && model.selection().position()->clocks > 0; }));
    ctx->ItemClick("###play");
    const double at = model.selection().position()->clocks;
    ctx->SleepNoSkip(0.2F, 0.02F);
    IM_CHECK_EQ(model.selection().position()->clocks, at);
    // With reduced motion it goes from action to action.
    workbenchOf(ctx).settings().reducedMotion = true;
    ctx->ItemClick("###play");
    IM_CHECK(yieldUntil(ctx, [&] { return model.selection().position()->clocks != at; }));
    ctx->ItemClick("###play");
    workbenchOf(ctx).settings().reducedMotion = false;
  });
}

TEST_F(CompilingBench, OfMachineCodeABlocksLifeHasItsWaits) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    auto& model = modelOf(ctx);
    model.navigation().goToChapter(kTensorized);
    auto life = [&]() -> const model::Timeline* {
      const auto state = model.models().of(model.navigation().current(), session::ModelBasis::kMachineCode);
      return state && state->timeline() && *state->timeline() ? &**state->timeline() : nullptr;
    };
    IM_CHECK(yieldUntil(ctx, [&] { return life() != nullptr && life()->asCompiled; }));
    const model::Budget step = model::budgetOf(*life(), life()->step);
    IM_CHECK_GT(step.waits[std::size_t(model::Track::Copy)], 0.0);
    ctx->Yield(3);
    press(ctx, "life", 0.3F, 0.5F);
    IM_CHECK(shows(ctx, "###playback", "predicted from the machine code"));
    IM_CHECK(shows(ctx, "###playback", "waiting"));
  });
}

TEST_F(Bench, AStateWithoutABlockSaysWhyNothingCanBePlayed) {
  drive([](ImGuiTestContext* ctx) {
    IM_CHECK(playbackIsShown(ctx));
    modelOf(ctx).navigation().select(30);
    IM_CHECK(yieldUntil(ctx, [&] { return !ctx->ItemExists("tracks"); }));
    IM_CHECK(shows(ctx, "###playback", "No kernel, so no block that could be played"));
  });
}

}  // namespace
}  // namespace loom::window::playback_panel_test
