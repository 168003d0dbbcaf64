#include "core/layout/wavefronts.h"

#include <gtest/gtest.h>

#include <bit>

namespace loom::layout::wavefronts_test {
namespace {

TEST(Wavefronts, AStrideOfFourWordsIsServedByEightLanesAtOnce) {
  Request r;
  for (int lane = 0; lane < kLanes; ++lane) r.address[std::size_t(lane)] = 16 * lane;
  const auto all = wavefronts(r, phases(r));
  ASSERT_EQ(all.size(), 4u);
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(all[std::size_t(n)].lanes, std::uint32_t{0xff} << 8 * n) << "the eight that don't meet";
    EXPECT_EQ(all[std::size_t(n)].banks, 0x11111111U);
    EXPECT_EQ(all[std::size_t(n)].number, n);
  }
}

TEST(Wavefronts, ABroadcastServesAllAtOnceAndIdleLanesNever) {
  Request r;
  r.active = 0x0000ffff;
  r.address.fill(256);
  const auto all = wavefronts(r, phases(r));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].lanes, r.active);
  EXPECT_EQ(all[0].banks, 1U);
}

// Eight rows of 128 bytes in the same four banks: each takes a wavefront of its own, in each of the four matrices.
TEST(Wavefronts, RowsOfAnUnpaddedTileComeOneByOne) {
  Request r;
  r.width = 16;
  for (int lane = 0; lane < kLanes; ++lane)
    r.address[std::size_t(lane)] = ((lane % 8 + lane / 8 % 2 * 8) * 64 + lane / 16 * 8) * 2;
  const auto phases = ldmatrixPhases(r);
  const auto all = wavefronts(r, phases);
  ASSERT_EQ(all.size(), 32u);
  EXPECT_EQ(int(all.size()), costOf(phases).wavefronts);
  std::uint32_t seen = 0;
  for (const Wavefront& w : all) {
    EXPECT_EQ(std::popcount(w.lanes), 1);
    EXPECT_EQ(std::popcount(w.banks), 4);
    seen |= w.lanes;
  }
  EXPECT_EQ(seen, 0xffffffffU);
  EXPECT_EQ(all[19].phase, 2);
  EXPECT_EQ(all[19].lanes, std::uint32_t{1} << 19);
  EXPECT_EQ(all[19].banks, 0xf0U) << "columns 8 to 15 of the tile";
}

// Eight bytes a lane, each at twice that distance: of a half warp the lanes 8 apart meet in their two banks.
TEST(Wavefronts, AWideLaneHasAllItsWordsInOneWavefront) {
  Request r;
  r.width = 8;
  for (int lane = 0; lane < kLanes; ++lane) r.address[std::size_t(lane)] = 16 * lane;
  const auto all = wavefronts(r, phases(r));
  ASSERT_EQ(all.size(), 4u);
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(all[std::size_t(n)].lanes, std::uint32_t{0xff} << 8 * n);
    EXPECT_EQ(all[std::size_t(n)].banks, 0x33333333U);
    EXPECT_EQ(all[std::size_t(n)].phase, n / 2);
    EXPECT_EQ(all[std::size_t(n)].number, n % 2);
  }
}

}  // namespace
}  // namespace loom::layout::wavefronts_test
