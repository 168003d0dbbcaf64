#include "core/model/occupancy_curves.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/programs.h"

namespace loom::model::occupancy_curves_test {
namespace {

// The lesson's kernel: 512 threads, 84 registers, 32 KiB.
constexpr Resources kLesson{512, 84, 32768};

int warpsAt(const OccupancyCurve& c, std::int64_t at) {
  auto found = std::find(c.at.begin(), c.at.end(), at);
  return found == c.at.end() ? -1 : c.warps[std::size_t(found - c.at.begin())];
}

TEST(OccupancyCurves, RegistersSayWhatOneBlockMoreWouldTake) {
  auto c = occupancyCurve(deviceNamed("h200"), kLesson, OccupancyResource::Registers);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->at.front(), 1);
  EXPECT_EQ(c->at.back(), 255);
  EXPECT_EQ(c->warpsNow, 16);
  EXPECT_EQ(c->maxWarps, 64);
  EXPECT_EQ(warpsAt(*c, 84), 16);
  EXPECT_EQ(warpsAt(*c, 64), 32) << "65536 registers / (64 · 512) = 2 blocks";
  EXPECT_EQ(warpsAt(*c, 40), 48);
  EXPECT_EQ(warpsAt(*c, 32), 64);
  EXPECT_EQ(warpsAt(*c, 129), 0) << "no such block can be launched";
  ASSERT_TRUE(c->better);
  EXPECT_EQ(*c->better, 64);
  EXPECT_EQ(c->warpsBetter, 32);
}

TEST(OccupancyCurves, SharedMemoryFallsInSteps) {
  auto c = occupancyCurve(deviceNamed("h200"), {128, 32, 64 << 10}, OccupancyResource::Shared);
  ASSERT_TRUE(c);
  EXPECT_TRUE(std::is_sorted(c->warps.rbegin(), c->warps.rend()));
  EXPECT_EQ(warpsAt(*c, 64 << 10), 12) << "three blocks of 65 KiB in 228";
  EXPECT_EQ(warpsAt(*c, 227 << 10), 4);
  ASSERT_TRUE(c->better);
  EXPECT_EQ(*c->better, 56 << 10) << "four blocks of 57 KiB fill 228";
  EXPECT_EQ(c->warpsBetter, 16);
}

TEST(OccupancyCurves, BlockSizeLooksBothWays) {
  auto c = occupancyCurve(deviceNamed("h200"), {96, 32, 0}, OccupancyResource::Threads);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->at.size(), 32u);
  EXPECT_EQ(c->warpsNow, 63);
  ASSERT_TRUE(c->better);
  EXPECT_EQ(c->warpsBetter, 64);
  EXPECT_TRUE(*c->better == 64 || *c->better == 128);
}

// 98 blocks of 96: 9408 threads can be cut into blocks of 64, but not of 128.
TEST(OccupancyCurves, ABlockSizeThatTheGridCantBeCutIntoIsNoAdvice) {
  auto c = occupancyCurve(deviceNamed("h200"), {96, 32, 0}, OccupancyResource::Threads, 9408);
  ASSERT_TRUE(c);
  EXPECT_TRUE(c->divides(64));
  EXPECT_FALSE(c->divides(128));
  ASSERT_TRUE(c->better);
  EXPECT_EQ(*c->better, 64) << "also 64 warps with 128, which isn't this kernel's";
  auto registers = occupancyCurve(deviceNamed("h200"), kLesson, OccupancyResource::Registers, 9408);
  EXPECT_TRUE(registers && registers->divides(7)) << "only threads are cut";
}

TEST(OccupancyCurves, TheMostHasNothingBetter) {
  auto c = occupancyCurve(deviceNamed("h200"), {256, 32, 0}, OccupancyResource::Registers);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->warpsNow, 64);
  EXPECT_FALSE(c->better);
}

TEST(OccupancyCurves, RegistersThatNobodyKnowsHaveNoAdvice) {
  auto c = occupancyCurve(deviceNamed("h200"), {512, 0, 32768}, OccupancyResource::Registers);
  ASSERT_TRUE(c);
  EXPECT_EQ(c->now, 0);
  EXPECT_FALSE(c->better);
}

TEST(OccupancyCurves, RefusesADeviceWithoutFiguresAndABlockOfNothing) {
  EXPECT_EQ(occupancyCurve(Device{}, kLesson, OccupancyResource::Shared).error().code, "UnknownFigure");
  EXPECT_EQ(occupancyCurve(deviceNamed("h200"), {0, 32, 0}, OccupancyResource::Threads).error().code,
            "InvalidArgument");
}

}  // namespace
}  // namespace loom::model::occupancy_curves_test
