// The way through a tree with branches, and dragging along it.
#include "tests/session/with_workbench.h"

namespace loom::session::navigation_test {
namespace {

constexpr int kLongest = 20000;  // ms

struct Navigation : WithWorkbench {
  Navigation() : WithWorkbench({64, 48, 32}, kLongest) {
    trunk_ = bench_.edits().apply(splitBy(4)).node;
    end_ = bench_.edits().apply("sch.unroll(k1)").node;
    bench_.navigation().select(0);
    branch_ = bench_.edits().apply(splitBy(8)).node;
  }
  int trunk_ = 0, end_ = 0, branch_ = 0;
};

TEST_F(Navigation, WayLeadsThroughTheStateToTheEndOfItsBranch) {
  EXPECT_EQ(bench_.navigation().path(), (std::vector{0, branch_}));
  bench_.navigation().select(trunk_);
  EXPECT_EQ(bench_.navigation().path(), (std::vector{0, trunk_, end_}));
  bench_.navigation().select(0);
  EXPECT_EQ(bench_.navigation().path(), (std::vector{0, trunk_, end_})) << "the way that was last taken";
}

TEST_F(Navigation, WayEndsWhereWhatFollowsIsRemoved) {
  bench_.navigation().select(end_);
  bench_.edits().remove(end_);
  EXPECT_EQ(bench_.navigation().current(), trunk_);
  EXPECT_EQ(bench_.navigation().path(), (std::vector{0, trunk_}));
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().path(), (std::vector{0, trunk_, end_}));
}

TEST_F(Navigation, NobodyStandsOnAStateThatIsDeleted) {
  bench_.navigation().select(trunk_);
  bench_.edits().remove(trunk_);
  EXPECT_EQ(bench_.edits().undoable()->states, 2);
  bench_.navigation().select(end_);  // as a link or a chapter does
  EXPECT_FALSE(bench_.navigation().history().hidden()[std::size_t(end_)]);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), 0);
  EXPECT_TRUE(bench_.navigation().history().hidden()[std::size_t(trunk_)]) << "as it was";
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().history().removed(), std::vector<int>{});
  bench_.edits().redo();
  bench_.edits().redo();
  EXPECT_EQ(bench_.navigation().current(), end_);
  EXPECT_FALSE(bench_.navigation().history().hidden()[std::size_t(end_)]);
}

TEST_F(Navigation, AStepThatWasDeletedComesBackWithoutWhatFollowed) {
  bench_.navigation().select(end_);
  const int more = bench_.edits().apply("sch.unroll(j)").node;
  bench_.edits().remove(end_);
  EXPECT_EQ(bench_.navigation().current(), trunk_);
  EXPECT_EQ(bench_.edits().apply("sch.unroll(k1)").node, end_);
  EXPECT_EQ(bench_.navigation().history().removed(), std::vector{more});
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().history().removed(), std::vector{end_});
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().history().removed(), std::vector<int>{});
}

TEST_F(Navigation, WayIsWhereStepsForwardLead) {
  bench_.navigation().select(0);
  const std::vector<int> way = bench_.navigation().path();
  for (std::size_t i = 1; i < way.size(); ++i) {
    ASSERT_TRUE(bench_.navigation().stepForward());
    EXPECT_EQ(bench_.navigation().current(), way[i]);
  }
  EXPECT_FALSE(bench_.navigation().stepForward());
}

TEST_F(Navigation, OneDragIsOneActionOfUndo) {
  bench_.navigation().select(end_);
  bench_.navigation().dragTo(trunk_, true);
  bench_.navigation().dragTo(0, false);
  EXPECT_EQ(bench_.navigation().current(), 0);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), end_);
  bench_.edits().redo();
  EXPECT_EQ(bench_.navigation().current(), 0);
}

TEST_F(Navigation, DragBackToWhereItBeganIsNoAction) {
  bench_.navigation().select(end_);
  bench_.navigation().dragTo(trunk_, true);
  bench_.navigation().dragTo(end_, false);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), branch_) << "the selection before the drag";
}

TEST_F(Navigation, DragThatGoesOnAfterwardsIsAnActionOfItsOwn) {
  bench_.navigation().select(end_);
  bench_.navigation().dragTo(trunk_, true);
  bench_.navigation().dragTo(end_, false);
  bench_.navigation().dragTo(0, false);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), end_);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), branch_);
}

TEST_F(Navigation, WalkByStepsIsOneActionAndAJumpAnother) {
  bench_.navigation().select(end_);  // from the other branch
  bench_.navigation().stepBack();
  bench_.navigation().stepBack();
  ASSERT_EQ(bench_.navigation().current(), 0);
  EXPECT_EQ(bench_.edits().undoable()->number, 2);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), end_);
  EXPECT_EQ(bench_.edits().redoable()->number, 0);
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), branch_);
}

TEST_F(Navigation, WalkBackToWhereItBeganIsNoAction) {
  bench_.navigation().stepBack();
  bench_.navigation().stepForward();
  ASSERT_EQ(bench_.navigation().current(), branch_);
  EXPECT_EQ(bench_.edits().undoable()->kind, UndoLabel::Kind::kApply);
}

TEST_F(Navigation, UndoAndRedoSayWhatTheyDo) {
  using Kind = UndoLabel::Kind;
  EXPECT_EQ(bench_.edits().undoable()->kind, Kind::kApply);
  EXPECT_EQ(bench_.edits().undoable()->number, 1);
  EXPECT_EQ(bench_.edits().undoable()->line, "k0, k1 = sch.split(k, [None, 8])");
  EXPECT_FALSE(bench_.edits().redoable());
  bench_.edits().undo();
  EXPECT_EQ(bench_.edits().redoable()->line, "k0, k1 = sch.split(k, [None, 8])");
  bench_.edits().remove(trunk_);
  EXPECT_EQ(bench_.edits().undoable()->kind, Kind::kRemove);
  EXPECT_EQ(bench_.edits().undoable()->line, "k0, k1 = sch.split(k, [None, 4])");
  EXPECT_FALSE(bench_.edits().redoable()) << "what was undone before another change is gone";
}

TEST_F(Navigation, NamesNotesAndPinsAreUndone) {
  const auto& node = [&]() -> const document::Node& { return bench_.navigation().history().node(trunk_); };
  for (const char* typed : {"f", "fa", "fast"}) bench_.edits().rename(trunk_, typed);
  bench_.edits().annotate(trunk_, "why");
  bench_.edits().pin(trunk_, true);
  EXPECT_EQ(bench_.edits().undoable()->kind, UndoLabel::Kind::kMark);
  bench_.edits().undo();
  EXPECT_FALSE(node().pinned);
  bench_.edits().undo();
  EXPECT_EQ(node().note, "");
  EXPECT_EQ(node().name, "fast");
  bench_.edits().undo();
  EXPECT_EQ(node().name, "") << "a name is typed letter by letter and undone at once";
  EXPECT_EQ(bench_.navigation().current(), branch_) << "marks are no place";
  for (int i = 0; i < 3; ++i) bench_.edits().redo();
  EXPECT_EQ(node().name, "fast");
  EXPECT_TRUE(node().pinned);
}

TEST_F(Navigation, UndoOfAnEditBringsTheValuesOfAllStatesBack) {
  const auto all = [&] {
    for (int i = 0; i < int(bench_.navigation().history().nodes().size()); ++i) {
      if (bench_.results().timed(i) == nullptr) return false;
    }
    return true;
  };
  ASSERT_TRUE(wait(all));
  const std::size_t before = bench_.navigation().history().nodes().size();
  bench_.stepEdit().show(trunk_, "k0, k1 = sch.split(k, [None, 2])");
  ASSERT_TRUE(
      wait([&] { return bench_.stepEdit().report() != nullptr && bench_.stepEdit().report()->history != nullptr; }));
  ASSERT_TRUE(bench_.edits().applyStepEdit());
  EXPECT_TRUE(wait(all));
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().history().nodes().size(), before);
  EXPECT_TRUE(wait(all)) << "without one being visited";
  bench_.edits().redo();
  EXPECT_TRUE(wait(all));
}

// Sizes are no part of an edit.
TEST_F(Navigation, UndoOfAnEditKeepsTheSizesNamedSince) {
  bench_.documents().openFunction(tests::programText("product_of_any_size"), "product.py");
  const auto isOpen = [&] {
    return !bench_.documents().isOpening() && bench_.documents().target() != nullptr &&
           bench_.navigation().history().nodes().size() == 1;
  };
  ASSERT_TRUE(wait(isOpen));
  const std::string loops = "i, j, l = sch.get_loops(sch.get_block(\"C\"))\n";
  const int step = bench_.edits().apply(loops + "i0, i1 = sch.split(i, [None, 8])").node;
  bench_.stepEdit().show(step, "i0, i1 = sch.split(i, [None, 4])");
  ASSERT_TRUE(
      wait([&] { return bench_.stepEdit().report() != nullptr && bench_.stepEdit().report()->history != nullptr; }));
  ASSERT_TRUE(bench_.edits().applyStepEdit());
  ASSERT_TRUE(bench_.edits().nameSizes("n = 40; m = 24; k = 16"));
  const std::string named = bench_.documents().history().sizes().text();
  EXPECT_NE(named, "");
  bench_.edits().undo();
  EXPECT_EQ(bench_.documents().history().sizes().text(), named);
  bench_.edits().redo();
  EXPECT_EQ(bench_.documents().history().sizes().text(), named);
}

TEST_F(Navigation, ReplayedAsABranchBothWaysAreThere) {
  bench_.navigation().select(end_);
  bench_.stepEdit().show(trunk_, "k0, k1 = sch.split(k, [None, 2])");
  ASSERT_TRUE(wait([&] { return bench_.stepEdit().report() != nullptr && bench_.stepEdit().report()->ready; }));
  const std::size_t states = bench_.navigation().history().nodes().size();
  ASSERT_TRUE(bench_.edits().branchStepEdit());
  EXPECT_EQ(bench_.stepEdit().report(), nullptr);
  EXPECT_EQ(bench_.navigation().history().nodes().size(), states + 2);
  EXPECT_EQ(bench_.navigation().node().number, 2) << "the counterpart of where one stood";
  EXPECT_EQ(bench_.navigation().node().step()->source, "sch.unroll(k1)");
  EXPECT_EQ(bench_.navigation().history().node(bench_.navigation().node().parent).step()->source,
            "k0, k1 = sch.split(k, [None, 2])");
  EXPECT_FALSE(bench_.navigation().history().isHidden(end_));
  EXPECT_TRUE(bench_.problems().all().empty());
  bench_.edits().undo();
  EXPECT_EQ(bench_.navigation().current(), end_);
}

TEST_F(Navigation, AReplaySaysWhichStatesAreNoKernelsAnyMore) {
  bench_.navigation().select(0);
  const std::string loops = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n";
  const int first = bench_.edits().apply(loops + "i0, i1 = sch.split(i, [None, 4])").node;
  const int second = bench_.edits().apply("j0, j1 = sch.split(j, [None, 4])").node;
  bench_.edits().apply("sch.bind(i1, \"threadIdx.x\")");
  const int both = bench_.edits().apply("sch.bind(j1, \"threadIdx.x\")").node;
  bench_.navigation().select(second);
  auto told = [&] {
    return bench_.stepEdit().report() != nullptr && bench_.stepEdit().report()->noKernels.has_value();
  };
  bench_.stepEdit().show(first, "i0, i1 = sch.split(i, [None, 8])");
  ASSERT_TRUE(wait(told));
  EXPECT_EQ(bench_.stepEdit().report()->changed.size(), 4U);
  EXPECT_TRUE(bench_.stepEdit().report()->broken.empty()) << "each step still applies";
  ASSERT_EQ(bench_.stepEdit().report()->noKernels->size(), 1U);
  EXPECT_EQ(bench_.stepEdit().report()->noKernels->front().node, both);
  EXPECT_EQ(bench_.stepEdit().report()->noKernels->front().error.code, "NotAKernel");
  bench_.stepEdit().show(first, "i0, i1 = sch.split(i, [16, 4])");
  ASSERT_TRUE(wait(told));
  EXPECT_TRUE(bench_.stepEdit().report()->noKernels->empty());
}

TEST_F(Navigation, ABranchOfAReplayEndsWhereAStepNoLongerApplies) {
  bench_.navigation().select(end_);
  bench_.stepEdit().show(trunk_, "k0 = sch.fuse(j, k)");
  ASSERT_TRUE(wait([&] { return bench_.stepEdit().report() != nullptr && bench_.stepEdit().report()->ready; }));
  ASSERT_TRUE(bench_.edits().branchStepEdit());
  EXPECT_EQ(bench_.navigation().node().number, 1) << "there is no k1 to unroll";
  ASSERT_EQ(bench_.problems().all().size(), 1U);
  EXPECT_EQ(bench_.problems().all()[0].error.code, "NameError");
  EXPECT_FALSE(bench_.navigation().history().isHidden(end_));
}

}  // namespace
}  // namespace loom::session::navigation_test
