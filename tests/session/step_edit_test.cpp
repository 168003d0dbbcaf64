#include "app/session/step_edit.h"

#include <gtest/gtest.h>

#include "core/document/matmul_function.h"
#include "core/document/target.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::step_edit_test {
namespace {

// 0 start, 1 split k by 16, 2 unroll the inner loop, 3 split the inner by 8; 4, a branch of 0.
document::History tree() {
  document::History history = document::openFunction(*document::matmulFunction({64, 48, 32}), "matmul")->history;
  EXPECT_EQ(history.apply(0, tests::scheduleText("split_unroll_split"), {})->made, 3);
  EXPECT_EQ(history.apply(0, "sch.unroll(sch.get_loops(sch.get_block(\"Z\"))[2])", {})->made, 1);
  return history;
}

TEST(StepEditReport, SaysWhichStatesChange) {
  const StepEditReport report = stepEditReport(tree(), 1, "k0, k1 = sch.split(k, [2, 16])", {});
  EXPECT_TRUE(report.ready);
  ASSERT_FALSE(report.refusal);
  EXPECT_TRUE(report.changed.empty()) << "2 is what None was";
  EXPECT_TRUE(report.broken.empty());
  EXPECT_EQ(stepEditReport(tree(), 2, "sch.vectorize(i)", {}).refusal.has_value(), false);
  EXPECT_EQ(stepEditReport(tree(), 2, "sch.vectorize(i)", {}).changed, (std::vector<int>{2, 3}));
}

TEST(StepEditReport, SaysWhichStepsBreakAndWhatGoesWithThem) {
  const StepEditReport report = stepEditReport(tree(), 1, "k0 = sch.fuse(j, k)", {});
  ASSERT_FALSE(report.refusal);
  EXPECT_EQ(report.changed, (std::vector<int>{1, 2})) << "the branch stays as it was";
  ASSERT_EQ(report.broken.size(), 1U);
  EXPECT_EQ(report.broken[0].node, 3);
  EXPECT_EQ(report.broken[0].gone, 0);
  EXPECT_EQ(report.broken[0].error.code, "NameError");
  const StepEditReport earlier = stepEditReport(tree(), 1, "k1 = sch.fuse(j, k)", {});
  ASSERT_EQ(earlier.broken.size(), 1U);
  EXPECT_EQ(earlier.broken[0].node, 2);
  EXPECT_EQ(earlier.broken[0].gone, 1);
}

TEST(StepEditReport, RefusedStepChangesNothing) {
  const StepEditReport report = stepEditReport(tree(), 1, "k0, k1 = sch.split(k, [5, 5])", {});
  ASSERT_TRUE(report.refusal);
  EXPECT_EQ(report.history, nullptr);
  EXPECT_EQ(stepEditReport(tree(), 1, "not a step (", {}).refusal->code, "ParseError");
  EXPECT_TRUE(stepEditReport(tree(), 0, "sch.unroll(k)", {}).refusal) << "the start has no step";
}

TEST(BestPath, LeadsToTheFastestThatIsNotDeleted) {
  document::History history = tree();
  EXPECT_EQ(bestPath(history, {100, 50, 20, -1, 30}), (std::vector<int>{0, 1, 2}));
  history.remove(1);
  EXPECT_EQ(bestPath(history, {100, 50, 20, -1, 30}), (std::vector<int>{0, 4}));
  EXPECT_TRUE(bestPath(history, {-1, -1, -1, -1, -1}).empty());
}

}  // namespace
}  // namespace loom::session::step_edit_test
