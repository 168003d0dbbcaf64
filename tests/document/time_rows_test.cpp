#include "core/document/time_rows.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/document/matmul_function.h"
#include "core/document/target.h"

namespace loom::session::time_rows_test {
namespace {

// start ─ 1 ─ 2 ─ 3, and a branch 1 ─ 4.
document::History branched() {
  auto target = document::openFunction(*document::matmulFunction({64, 64, 64}), "matmul");
  document::History history = std::move(target->history);
  auto first = history.apply(0, "i, j, k = sch.get_loops(sch.get_block(\"Z\"))\nsch.unroll(k)", {});
  history.apply(first->node, "sch.parallel(i)\nsch.vectorize(j)", {});
  history.apply(first->node, "sch.reorder(j, i)", {});
  return history;
}

// Microseconds by state; those of `elsewhere` are of another device than the rest and the vendor's.
std::vector<document::TimeRow> rows(const document::History& history, std::map<int, double> times, double vendor = 0,
                                    const std::set<int>& elsewhere = {}) {
  auto time = [&](int node) -> std::optional<document::TimeOn> {
    if (times.count(node) == 0) return std::nullopt;
    return document::TimeOn{times.at(node), elsewhere.count(node) ? "NVIDIA H100" : "NVIDIA H200"};
  };
  return document::timeRows(history, time,
                            vendor > 0 ? std::optional(document::TimeOn{vendor, "NVIDIA H200"}) : std::nullopt);
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

// 100 µs on one device and 50 µs on another are no speed-up of 2.
TEST(SpeedUps, CompareTimesOfOneDeviceOnly) {
  const document::History history = branched();
  const auto found = rows(history, {{0, 100}, {1, 50}, {2, 40}, {3, 10}}, 5, {1, 2});
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1].overPrevious, std::nullopt) << "the first on its device";
  EXPECT_EQ(found[1].overFirst, 1);
  EXPECT_EQ(found[1].vendorShare, std::nullopt) << "the vendor's library ran elsewhere";
  EXPECT_EQ(found[2].overPrevious, 1.25);
  EXPECT_EQ(found[2].overFirst, 1.25);
  EXPECT_EQ(found[3].overPrevious, 10) << "the closest on its device is the start";
  EXPECT_EQ(found[3].overFirst, 10);
  EXPECT_EQ(found[3].vendorShare, 0.5);
}

TEST(Ratios, OfUnlikeTimesThereAreNone) {
  const document::TimeOn here{10, "NVIDIA H200"}, there{5, "NVIDIA H100"};
  EXPECT_EQ(document::ratioOf(here, document::TimeOn{5, "NVIDIA H200"}), 2);
  EXPECT_EQ(document::ratioOf(here, there), std::nullopt);
  EXPECT_EQ(document::ratioOf(here, std::nullopt), std::nullopt);
  EXPECT_EQ(document::ratioOf(std::nullopt, there), std::nullopt);
  EXPECT_EQ(document::ratioOf(here, document::TimeOn{0, "NVIDIA H200"}), std::nullopt);
  EXPECT_EQ(document::timeOn(document::KnownTime{}).has_value(), false);
  EXPECT_EQ(document::timeOn(std::optional<document::VendorLine>()).has_value(), false);
  EXPECT_EQ(document::timeOn(std::optional(document::VendorLine{})).has_value(), false) << "not available";
}

TEST(Ratios, AreOfTheDeviceThatMostTimesAreOf) {
  const document::TimeOn here{10, "NVIDIA H200"}, there{5, "NVIDIA H100"};
  EXPECT_EQ(document::deviceOfMost({there, std::nullopt, here, here}), "NVIDIA H200");
  EXPECT_EQ(document::deviceOfMost({there, here}), "NVIDIA H100") << "the first of several";
  EXPECT_EQ(document::deviceOfMost({std::nullopt}), "");
}

TEST(SpeedUps, RemovedAndUnmeasuredStatesHaveNoRow) {
  document::History history = branched();
  history.remove(4);
  EXPECT_EQ(rows(history, {{1, 50}, {4, 25}}).size(), 1U);
  EXPECT_TRUE(rows(history, {}).empty());
  EXPECT_TRUE(rows(history, {{0, 0}}).empty());
}

TEST(Decades, EncloseAllPositiveValues) {
  EXPECT_EQ(document::decadesAround({0.18, 378}).low, -1);
  EXPECT_EQ(document::decadesAround({0.18, 378}).high, 3);
  EXPECT_EQ(document::decadesAround({100}).high, 3);
  EXPECT_EQ(document::decadesAround({}).low, 0);
  EXPECT_EQ(document::decadesAround({0, -1}).high, 1);
}

}  // namespace
}  // namespace loom::session::time_rows_test
