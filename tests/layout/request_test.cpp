#include "core/layout/request.h"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

namespace loom::layout::request_test {
namespace {

Request make(int width, const std::function<std::int64_t(int)>& address, std::uint32_t active = 0xffffffff) {
  Request r;
  r.width = width;
  r.active = active;
  for (int lane = 0; lane < kLanes; ++lane) r.address[std::size_t(lane)] = address(lane);
  return r;
}

SharedCost shared(int width, const std::function<std::int64_t(int)>& address) {
  return costOf(phases(make(width, address)));
}

// Lanes give the 8 rows of four 8×8 matrices of a 16×16 tile of halves, rows `pitch` halves apart.
SharedCost ldmatrixTile(int pitch) {
  return costOf(
      ldmatrixPhases(make(16, [&](int lane) { return ((lane % 8 + lane / 8 % 2 * 8) * pitch + lane / 16 * 8) * 2; })));
}

TEST(Banks, OneWordALaneIsFreeOfConflicts) {
  EXPECT_EQ(shared(4, [](int lane) { return 4 * lane; }).ways, 1);
  EXPECT_EQ(shared(2, [](int lane) { return 2 * lane; }).wavefronts, 1) << "two halves share a word";
}

TEST(Banks, ABroadcastIsOneWavefront) {
  EXPECT_EQ(shared(4, [](int) { return 256; }).wavefronts, 1);
  EXPECT_EQ(shared(8, [](int) { return 256; }).wavefronts, 1);
}

TEST(Banks, StridesGiveTheirWays) {
  for (int stride : {2, 4, 8, 16, 32}) EXPECT_EQ(shared(4, [&](int lane) { return 4 * lane * stride; }).ways, stride);
  EXPECT_EQ(shared(4, [](int lane) { return 4 * lane * 33; }).ways, 1) << "a pitch of 33 words is the classic cure";
  EXPECT_EQ(shared(2, [](int lane) { return 2 * lane * 64; }).ways, 32) << "a column of a tile of 64 halves";
}

TEST(Banks, WideAccessesGoByHalfAndQuarterWarps) {
  SharedCost c = shared(8, [](int lane) { return 8 * lane; });
  EXPECT_EQ(c.phases, 2);
  EXPECT_EQ(c.conflicts(), 0);
  c = shared(16, [](int lane) { return 16 * lane; });
  EXPECT_EQ(c.wavefronts, 4);
  EXPECT_EQ(c.ways, 1);
  EXPECT_EQ(shared(16, [](int lane) { return 32 * lane; }).wavefronts, 8) << "every second group of four banks";
}

// Measured on an H200 for LDS.128: neighbours that share, or all one address, take 2 clocks; four or more different
// addresses alternating by lane take 4, as all different ones do.
TEST(Banks, QuartersOfNeighboursThatShareGoTogether) {
  EXPECT_EQ(shared(16, [](int) { return 0; }).wavefronts, 2);
  EXPECT_EQ(shared(16, [](int lane) { return lane / 8 * 16; }).wavefronts, 2);
  EXPECT_EQ(shared(16, [](int lane) { return lane / 4 * 16; }).wavefronts, 2);
  EXPECT_EQ(shared(16, [](int lane) { return lane / 2 * 16; }).wavefronts, 2);
  for (int n : {4, 8, 16}) EXPECT_EQ(shared(16, [&](int lane) { return lane % n * 16; }).wavefronts, 4) << n;
}

TEST(Banks, APaddedPitchFreesLdmatrix) {
  EXPECT_EQ(ldmatrixTile(64).ways, 8) << "128 bytes a row: eight rows in the same four banks";
  EXPECT_EQ(ldmatrixTile(32).ways, 4);
  EXPECT_EQ(ldmatrixTile(16).ways, 2);
  EXPECT_EQ(ldmatrixTile(8).ways, 1);
  for (int pitch : {24, 40, 72}) {
    EXPECT_EQ(ldmatrixTile(pitch).ways, 1) << pitch;
    EXPECT_EQ(ldmatrixTile(pitch).wavefronts, 4) << pitch;
  }
}

TEST(Banks, IdleLanesCostNothing) {
  EXPECT_EQ(costOf(phases(make(
                       4, [](int lane) { return 128 * lane; }, 0x0000000f)))
                .wavefronts,
            4);
  EXPECT_EQ(costOf(phases(make(
                       16, [](int) { return 0; }, 0)))
                .wavefronts,
            0);
  EXPECT_EQ(costOf(phases(make(
                       16, [](int lane) { return 16 * lane; }, 0xff)))
                .wavefronts,
            1);
}

TEST(Sectors, CoalescedAccessesTouchWhatTheyNeed) {
  EXPECT_EQ(sectors(make(2, [](int lane) { return 2 * lane; })), 2) << "halves";
  EXPECT_EQ(sectors(make(4, [](int lane) { return 4 * lane; })), 4) << "half2, float";
  EXPECT_EQ(sectors(make(16, [](int lane) { return 16 * lane; })), 16) << "float4";
  EXPECT_EQ(lines(make(16, [](int lane) { return 16 * lane; })), 4);
  EXPECT_EQ(distinctBytes(make(16, [](int lane) { return 16 * lane; })), 512);
}

TEST(Sectors, ScatteredAndMisalignedAccessesTouchMore) {
  EXPECT_EQ(sectors(make(4, [](int lane) { return 4096 * lane; })), 32) << "a column";
  EXPECT_EQ(sectors(make(4, [](int lane) { return 4 * lane + 4; })), 5) << "shifted by one element";
  EXPECT_EQ(sectors(make(4, [](int) { return 4096; })), 1) << "one element for all";
  EXPECT_EQ(sectors(make(4, [](int lane) { return 8 * lane; })), 8) << "every second";
  EXPECT_EQ(sectors(make(
                4, [](int lane) { return 4 * lane; }, 0)),
            0);
}

// Requests of every width: rows, columns, broadcasts, places far apart and near each other, some lanes idle.
std::vector<Request> drawnRequests() {
  std::mt19937 random(1);
  const auto draw = [&](int n) { return int(random() % unsigned(n)); };
  std::vector<Request> all;
  for (int n = 0; n < 2000; ++n) {
    const int width = 1 << draw(5), group = 1 << draw(6), near = 1 << draw(8), far = (1 << draw(20)) + draw(3);
    const bool scattered = draw(4) == 0;
    Request r = make(width, [&](int lane) {
      const int place = scattered ? draw(400) : lane % group * near + lane / group * far;
      return std::int64_t(place) * width + (std::int64_t{1} << 40);
    });
    if (draw(2) == 0) r.active = std::uint32_t(random());
    r.store = draw(2) == 0;
    all.push_back(r);
  }
  return all;
}

std::size_t touched(const Request& r, int unit) {
  std::set<std::int64_t> units;
  for (int lane = 0; lane < kLanes; ++lane)
    for (int byte = 0; byte < r.width && (r.active >> lane & 1) != 0; ++byte)
      units.insert((r.address[std::size_t(lane)] + byte) / unit);
  return units.size();
}

TEST(Sectors, AreThoseOfEachByte) {
  for (const Request& r : drawnRequests()) {
    EXPECT_EQ(std::size_t(sectors(r)), touched(r, kSectorBytes));
    EXPECT_EQ(std::size_t(lines(r)), touched(r, kLineBytes));
    EXPECT_EQ(std::size_t(distinctBytes(r)), touched(r, 1));
  }
}

TEST(Banks, CostsAreThoseOfThePhases) {
  const auto expectSame = [](const SharedCost& a, const SharedCost& b) {
    EXPECT_EQ(a.wavefronts, b.wavefronts);
    EXPECT_EQ(a.phases, b.phases);
    EXPECT_EQ(a.ways, b.ways);
  };
  for (const Request& r : drawnRequests()) {
    expectSame(sharedCost(r), costOf(phases(r)));
    expectSame(ldmatrixCost(r), costOf(ldmatrixPhases(r)));
  }
}

}  // namespace
}  // namespace loom::layout::request_test
