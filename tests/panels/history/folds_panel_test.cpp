// Steps that were applied at once: one row of the history, opened and shut by a click, undone as one and step by step.
#include <algorithm>
#include <string>

#include "tests/gui/script.h"
#include "tests/schedules/schedule_text.h"

namespace loom::window::history_folds_panel_test {
namespace {

constexpr const char* kTitleRow = "//###history/fold0/###row";
constexpr const char* kTriangle = "//###history/###steps0";

bool hasRow(ImGuiTestContext* ctx, int node) {
  return ctx->ItemExists(("//###history/$$" + std::to_string(node) + "/###row").c_str());
}

// Three steps under the title "tiles": split, unroll, split. Gives the first.
int threeAtOnce(ImGuiTestContext* ctx) {
  if (!startIsShown(ctx)) return -1;
  modelOf(ctx).edits().apply(tests::scheduleText("split_unroll_split"), {verbatim("tiles"), {}});
  ctx->WindowFocus("//###history");
  ctx->Yield(3);
  return modelOf(ctx).navigation().current() - 2;
}

TEST_F(Bench, StepsAppliedAtOnceAreOneRowThatOpensAndShutsByAClick) {
  drive([](ImGuiTestContext* ctx) {
    const int first = threeAtOnce(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    IM_CHECK(ctx->ItemExists(kTitleRow));
    IM_CHECK(!hasRow(ctx, first) && !hasRow(ctx, first + 2));
    IM_CHECK(shows(ctx, "###history", "tiles"));
    IM_CHECK(shows(ctx, "###history", "3 steps"));
    ctx->ItemClick(kTriangle);
    ctx->Yield(2);
    IM_CHECK(hasRow(ctx, first) && hasRow(ctx, first + 2));
    IM_CHECK_EQ(model.navigation().current(), first + 2);
    ctx->ItemClick(kTriangle);
    ctx->Yield(2);
    IM_CHECK(!hasRow(ctx, first));
    // The title stands for its last state; there already, a click on it opens it.
    model.navigation().select(0);
    ctx->Yield(3);
    ctx->ItemClick(kTitleRow);
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().current(), first + 2);
    IM_CHECK(!hasRow(ctx, first));
    ctx->ItemClick(kTitleRow);
    ctx->Yield(2);
    IM_CHECK(hasRow(ctx, first));
  });
}

TEST_F(Bench, StepsAppliedAtOnceAreUndoneAsOneAndStepByStep) {
  drive([](ImGuiTestContext* ctx) {
    const int first = threeAtOnce(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    IM_CHECK_STR_EQ(model.edits().undoable()->title.english().c_str(), "tiles");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().current(), 0);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Y);
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().current(), first + 2);
    IM_CHECK(!hasRow(ctx, first));
    model.navigation().stepBack();  // into the midst of them
    ctx->Yield(3);
    IM_CHECK_EQ(model.navigation().current(), first + 1);
    IM_CHECK(hasRow(ctx, first + 1));
    // A step from there is a branch, which is under no title.
    model.edits().apply("j0, j1 = sch.split(j, [None, 8])");
    ctx->Yield(3);
    const int branch = model.navigation().current();
    IM_CHECK_EQ(model.navigation().history().node(branch).fold, -1);
    IM_CHECK(hasRow(ctx, branch));
  });
}

TEST_F(Bench, StepsAppliedAtOnceAreDeletedByTheirTitle) {
  drive([](ImGuiTestContext* ctx) {
    const int first = threeAtOnce(ctx);
    IM_CHECK_GT(first, 0);
    auto& model = modelOf(ctx);
    ctx->ItemClick(kTitleRow, ImGuiMouseButton_Right);
    ctx->Yield(2);
    IM_CHECK(popupShows(ctx, "Delete these 3 steps"));
    ctx->ItemClick("//$FOCUSED/###delete");
    ctx->Yield(3);
    IM_CHECK(model.navigation().history().node(first).deleted);
    IM_CHECK(!ctx->ItemExists(kTitleRow));
    IM_CHECK_EQ(model.navigation().current(), 0);
    model.edits().undo();
    ctx->Yield(3);
    IM_CHECK(ctx->ItemExists(kTitleRow));
  });
}

}  // namespace
}  // namespace loom::window::history_folds_panel_test
