// The way through a tree with branches, and dragging along it.
#include "tests/session/with_workbench.h"

namespace loom::workbench {
namespace {

constexpr int kLongest = 20000;  // ms

std::string splitBy(int factor) {
  return "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nk0, k1 = sch.split(k, [None, " + std::to_string(factor) + "])";
}

struct Navigation : WithWorkbench {
  Navigation() : WithWorkbench({64, 48, 32}, kLongest) {
    trunk_ = bench_.apply(splitBy(4)).node;
    end_ = bench_.apply("sch.unroll(k1)").node;
    bench_.select(0);
    branch_ = bench_.apply(splitBy(8)).node;
  }
  int trunk_ = 0, end_ = 0, branch_ = 0;
};

TEST_F(Navigation, WayLeadsThroughTheStateToTheEndOfItsBranch) {
  EXPECT_EQ(bench_.way(), (std::vector{0, branch_}));
  bench_.select(trunk_);
  EXPECT_EQ(bench_.way(), (std::vector{0, trunk_, end_}));
  bench_.select(0);
  EXPECT_EQ(bench_.way(), (std::vector{0, trunk_, end_})) << "the way that was last taken";
}

TEST_F(Navigation, WayEndsWhereWhatFollowsIsRemoved) {
  bench_.select(end_);
  bench_.remove(end_);
  EXPECT_EQ(bench_.current(), trunk_);
  EXPECT_EQ(bench_.way(), (std::vector{0, trunk_}));
  bench_.undo();
  EXPECT_EQ(bench_.way(), (std::vector{0, trunk_, end_}));
}

TEST_F(Navigation, NobodyStandsOnAStateThatIsDeleted) {
  bench_.select(trunk_);
  bench_.remove(trunk_);
  EXPECT_EQ(bench_.undoable()->states, 2);
  bench_.select(end_);  // as a link or a chapter does
  EXPECT_FALSE(bench_.history().hidden()[std::size_t(end_)]);
  bench_.undo();
  EXPECT_EQ(bench_.current(), 0);
  EXPECT_TRUE(bench_.history().hidden()[std::size_t(trunk_)]) << "as it was";
  bench_.undo();
  EXPECT_EQ(bench_.history().removed(), std::vector<int>{});
  bench_.redo();
  bench_.redo();
  EXPECT_EQ(bench_.current(), end_);
  EXPECT_FALSE(bench_.history().hidden()[std::size_t(end_)]);
}

TEST_F(Navigation, AStepThatWasDeletedComesBackWithoutWhatFollowed) {
  bench_.select(end_);
  const int more = bench_.apply("sch.unroll(j)").node;
  bench_.remove(end_);
  EXPECT_EQ(bench_.current(), trunk_);
  EXPECT_EQ(bench_.apply("sch.unroll(k1)").node, end_);
  EXPECT_EQ(bench_.history().removed(), std::vector{more});
  bench_.undo();
  EXPECT_EQ(bench_.history().removed(), std::vector{end_});
  bench_.undo();
  EXPECT_EQ(bench_.history().removed(), std::vector<int>{});
}

TEST_F(Navigation, WayIsWhereStepsForwardLead) {
  bench_.select(0);
  const std::vector<int> way = bench_.way();
  for (std::size_t i = 1; i < way.size(); ++i) {
    ASSERT_TRUE(bench_.stepForward());
    EXPECT_EQ(bench_.current(), way[i]);
  }
  EXPECT_FALSE(bench_.stepForward());
}

TEST_F(Navigation, OneDragIsOneActionOfUndo) {
  bench_.select(end_);
  bench_.dragTo(trunk_, true);
  bench_.dragTo(0, false);
  EXPECT_EQ(bench_.current(), 0);
  bench_.undo();
  EXPECT_EQ(bench_.current(), end_);
  bench_.redo();
  EXPECT_EQ(bench_.current(), 0);
}

TEST_F(Navigation, DragBackToWhereItBeganIsNoAction) {
  bench_.select(end_);
  bench_.dragTo(trunk_, true);
  bench_.dragTo(end_, false);
  bench_.undo();
  EXPECT_EQ(bench_.current(), branch_) << "the selection before the drag";
}

TEST_F(Navigation, DragThatGoesOnAfterwardsIsAnActionOfItsOwn) {
  bench_.select(end_);
  bench_.dragTo(trunk_, true);
  bench_.dragTo(end_, false);
  bench_.dragTo(0, false);
  bench_.undo();
  EXPECT_EQ(bench_.current(), end_);
  bench_.undo();
  EXPECT_EQ(bench_.current(), branch_);
}

TEST_F(Navigation, WalkByStepsIsOneActionAndAJumpAnother) {
  bench_.select(end_);  // from the other branch
  bench_.stepBack();
  bench_.stepBack();
  ASSERT_EQ(bench_.current(), 0);
  EXPECT_EQ(bench_.undoable()->number, 2);
  bench_.undo();
  EXPECT_EQ(bench_.current(), end_);
  EXPECT_EQ(bench_.redoable()->number, 0);
  bench_.undo();
  EXPECT_EQ(bench_.current(), branch_);
}

TEST_F(Navigation, WalkBackToWhereItBeganIsNoAction) {
  bench_.stepBack();
  bench_.stepForward();
  ASSERT_EQ(bench_.current(), branch_);
  EXPECT_EQ(bench_.undoable()->kind, Change::Kind::kApply);
}

TEST_F(Navigation, UndoAndRedoSayWhatTheyDo) {
  using Kind = Change::Kind;
  EXPECT_EQ(bench_.undoable()->kind, Kind::kApply);
  EXPECT_EQ(bench_.undoable()->number, 1);
  EXPECT_EQ(bench_.undoable()->line, "k0, k1 = sch.split(k, [None, 8])");
  EXPECT_FALSE(bench_.redoable());
  bench_.undo();
  EXPECT_EQ(bench_.redoable()->line, "k0, k1 = sch.split(k, [None, 8])");
  bench_.remove(trunk_);
  EXPECT_EQ(bench_.undoable()->kind, Kind::kRemove);
  EXPECT_EQ(bench_.undoable()->line, "k0, k1 = sch.split(k, [None, 4])");
  EXPECT_FALSE(bench_.redoable()) << "what was undone before another change is gone";
}

TEST_F(Navigation, NamesNotesAndPinsAreUndone) {
  const auto& node = [&]() -> const document::Node& { return bench_.history().node(trunk_); };
  for (const char* typed : {"f", "fa", "fast"}) bench_.rename(trunk_, typed);
  bench_.annotate(trunk_, "why");
  bench_.pin(trunk_, true);
  EXPECT_EQ(bench_.undoable()->kind, Change::Kind::kMark);
  bench_.undo();
  EXPECT_FALSE(node().pinned);
  bench_.undo();
  EXPECT_EQ(node().note, "");
  EXPECT_EQ(node().name, "fast");
  bench_.undo();
  EXPECT_EQ(node().name, "") << "a name is typed letter by letter and undone at once";
  EXPECT_EQ(bench_.current(), branch_) << "marks are no place";
  for (int i = 0; i < 3; ++i) bench_.redo();
  EXPECT_EQ(node().name, "fast");
  EXPECT_TRUE(node().pinned);
}

TEST_F(Navigation, UndoOfAnEditBringsTheValuesOfAllStatesBack) {
  const auto all = [&] {
    for (int i = 0; i < int(bench_.history().nodes().size()); ++i) {
      if (bench_.timed(i) == nullptr) return false;
    }
    return true;
  };
  ASSERT_TRUE(wait(all));
  const std::size_t before = bench_.history().nodes().size();
  bench_.replay(trunk_, "k0, k1 = sch.split(k, [None, 2])");
  ASSERT_TRUE(wait([&] { return bench_.replay() != nullptr && bench_.replay()->history != nullptr; }));
  ASSERT_TRUE(bench_.applyReplay());
  EXPECT_TRUE(wait(all));
  bench_.undo();
  EXPECT_EQ(bench_.history().nodes().size(), before);
  EXPECT_TRUE(wait(all)) << "without one being visited";
  bench_.redo();
  EXPECT_TRUE(wait(all));
}

TEST_F(Navigation, ReplayedAsABranchBothWaysAreThere) {
  bench_.select(end_);
  bench_.replay(trunk_, "k0, k1 = sch.split(k, [None, 2])");
  ASSERT_TRUE(wait([&] { return bench_.replay() != nullptr && bench_.replay()->ready; }));
  const std::size_t states = bench_.history().nodes().size();
  ASSERT_TRUE(bench_.branchReplay());
  EXPECT_EQ(bench_.replay(), nullptr);
  EXPECT_EQ(bench_.history().nodes().size(), states + 2);
  EXPECT_EQ(bench_.node().number, 2) << "the counterpart of where one stood";
  EXPECT_EQ(bench_.node().step()->source, "sch.unroll(k1)");
  EXPECT_EQ(bench_.history().node(bench_.node().parent).step()->source, "k0, k1 = sch.split(k, [None, 2])");
  EXPECT_FALSE(bench_.history().isHidden(end_));
  EXPECT_TRUE(bench_.problems().empty());
  bench_.undo();
  EXPECT_EQ(bench_.current(), end_);
}

TEST_F(Navigation, AReplaySaysWhichStatesAreNoKernelsAnyMore) {
  bench_.select(0);
  const std::string loops = "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\n";
  const int first = bench_.apply(loops + "i0, i1 = sch.split(i, [None, 4])").node;
  const int second = bench_.apply("j0, j1 = sch.split(j, [None, 4])").node;
  bench_.apply("sch.bind(i1, \"threadIdx.x\")");
  const int both = bench_.apply("sch.bind(j1, \"threadIdx.x\")").node;
  bench_.select(second);
  auto told = [&] { return bench_.replay() != nullptr && bench_.replay()->noKernels.has_value(); };
  bench_.replay(first, "i0, i1 = sch.split(i, [None, 8])");
  ASSERT_TRUE(wait(told));
  EXPECT_EQ(bench_.replay()->changed.size(), 4U);
  EXPECT_TRUE(bench_.replay()->broken.empty()) << "each step still applies";
  ASSERT_EQ(bench_.replay()->noKernels->size(), 1U);
  EXPECT_EQ(bench_.replay()->noKernels->front().node, both);
  EXPECT_EQ(bench_.replay()->noKernels->front().error.code, "NotAKernel");
  bench_.replay(first, "i0, i1 = sch.split(i, [16, 4])");
  ASSERT_TRUE(wait(told));
  EXPECT_TRUE(bench_.replay()->noKernels->empty());
}

TEST_F(Navigation, ABranchOfAReplayEndsWhereAStepNoLongerApplies) {
  bench_.select(end_);
  bench_.replay(trunk_, "k0 = sch.fuse(j, k)");
  ASSERT_TRUE(wait([&] { return bench_.replay() != nullptr && bench_.replay()->ready; }));
  ASSERT_TRUE(bench_.branchReplay());
  EXPECT_EQ(bench_.node().number, 1) << "there is no k1 to unroll";
  ASSERT_EQ(bench_.problems().size(), 1U);
  EXPECT_EQ(bench_.problems()[0].error.code, "NameError");
  EXPECT_FALSE(bench_.history().isHidden(end_));
}

}  // namespace
}  // namespace loom::workbench
