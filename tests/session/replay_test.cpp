#include "app/session/replay.h"

#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/schedules/schedule_text.h"

namespace loom::workbench {
namespace {

// 0 start, 1 split k by 16, 2 unroll the inner loop, 3 split the inner by 8; 4, a branch of 0.
document::History tree() {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  EXPECT_EQ(history.apply(0, tests::scheduleText("split_unroll_split"), {})->made, 3);
  EXPECT_EQ(history.apply(0, "sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[2])", {})->made, 1);
  return history;
}

TEST(Replay, SaysWhichStatesChange) {
  const Replay replay = replayOf(tree(), 1, "k0, k1 = sch.split(k, [2, 16])", {});
  EXPECT_TRUE(replay.ready);
  ASSERT_FALSE(replay.refusal);
  EXPECT_TRUE(replay.changed.empty()) << "2 is what None was";
  EXPECT_TRUE(replay.broken.empty());
  EXPECT_EQ(replayOf(tree(), 2, "sch.vectorize(i)", {}).refusal.has_value(), false);
  EXPECT_EQ(replayOf(tree(), 2, "sch.vectorize(i)", {}).changed, (std::vector<int>{2, 3}));
}

TEST(Replay, SaysWhichStepsBreakAndWhatGoesWithThem) {
  const Replay replay = replayOf(tree(), 1, "k0 = sch.fuse(j, k)", {});
  ASSERT_FALSE(replay.refusal);
  EXPECT_EQ(replay.changed, (std::vector<int>{1, 2})) << "the branch stays as it was";
  ASSERT_EQ(replay.broken.size(), 1U);
  EXPECT_EQ(replay.broken[0].node, 3);
  EXPECT_EQ(replay.broken[0].gone, 0);
  EXPECT_EQ(replay.broken[0].error.code, "NameError");
  const Replay earlier = replayOf(tree(), 1, "k1 = sch.fuse(j, k)", {});
  ASSERT_EQ(earlier.broken.size(), 1U);
  EXPECT_EQ(earlier.broken[0].node, 2);
  EXPECT_EQ(earlier.broken[0].gone, 1);
}

TEST(Replay, RefusedStepChangesNothing) {
  const Replay replay = replayOf(tree(), 1, "k0, k1 = sch.split(k, [5, 5])", {});
  ASSERT_TRUE(replay.refusal);
  EXPECT_EQ(replay.history, nullptr);
  EXPECT_EQ(replayOf(tree(), 1, "not a step (", {}).refusal->code, "ParseError");
  EXPECT_TRUE(replayOf(tree(), 0, "sch.unroll(k)", {}).refusal) << "the start has no step";
}

TEST(BestPath, LeadsToTheFastestThatIsNotDeleted) {
  document::History history = tree();
  EXPECT_EQ(bestPath(history, {100, 50, 20, -1, 30}), (std::vector<int>{0, 1, 2}));
  history.remove(1);
  EXPECT_EQ(bestPath(history, {100, 50, 20, -1, 30}), (std::vector<int>{0, 4}));
  EXPECT_TRUE(bestPath(history, {-1, -1, -1, -1, -1}).empty());
}

}  // namespace
}  // namespace loom::workbench
