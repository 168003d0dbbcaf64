#include "app/workbench/speed_up.h"

#include <gtest/gtest.h>

#include <map>

#include "app/workbench/matmul_function.h"
#include "core/document/target.h"

namespace loom::workbench {
namespace {

// start ─ 1 ─ 2 ─ 3, and a branch 1 ─ 4.
document::History branched() {
  auto target = document::openFunction(*matmulFunction({64, 64, 64}), "matmul");
  document::History history = std::move(target->history);
  auto first = history.apply(0, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.unroll(k)", {});
  history.apply(first->node, "sch.parallel(i)\nsch.vectorize(j)", {});
  history.apply(first->node, "sch.reorder(j, i)", {});
  return history;
}

std::vector<SpeedUp> rows(const document::History& history, std::map<int, double> times, double vendor = 0) {
  return speedUps(
      history, [&](int node) { return times.count(node) ? std::optional(times.at(node)) : std::nullopt; }, vendor);
}

TEST(SpeedUps, ComparesWithTheClosestMeasuredStateOfItsBranch) {
  const document::History history = branched();
  ASSERT_EQ(history.nodes().size(), 5U);
  const auto found = rows(history, {{0, 100}, {1, 50}, {3, 10}, {4, 25}}, 5);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0].overPrevious, std::nullopt);
  EXPECT_EQ(found[2].node, 3);
  EXPECT_EQ(found[2].overPrevious, 5) << "state 2 has no time: the one before it counts";
  EXPECT_EQ(found[2].overFirst, 10);
  EXPECT_EQ(found[2].vendorShare, 0.5);
  EXPECT_EQ(found[3].overPrevious, 2) << "the branch goes off at state 1";
}

TEST(SpeedUps, RemovedAndUnmeasuredStatesHaveNoRow) {
  document::History history = branched();
  history.remove(4);
  EXPECT_EQ(rows(history, {{1, 50}, {4, 25}}).size(), 1U);
  EXPECT_TRUE(rows(history, {}).empty());
  EXPECT_TRUE(rows(history, {{0, 0}}).empty());
}

TEST(Decades, EncloseAllPositiveValues) {
  EXPECT_EQ(decadesAround({0.18, 378}).low, -1);
  EXPECT_EQ(decadesAround({0.18, 378}).high, 3);
  EXPECT_EQ(decadesAround({100}).high, 3);
  EXPECT_EQ(decadesAround({}).low, 0);
  EXPECT_EQ(decadesAround({0, -1}).high, 1);
}

}  // namespace
}  // namespace loom::workbench
