// Tiles of shared memory that warps take whole: when what one warp found is still so.
#include "core/exec/shared_tiles.h"

#include <gmock/gmock.h>

namespace loom::exec::shared_tiles_test {
namespace {

TEST(AreaTimes, AreQuietUntilSomethingHappensNearby) {
  AreaTimes times(4096);
  const std::uint64_t before = times.now();
  EXPECT_TRUE(times.isQuiet(0, 4096, before));
  times.note(1023, 2);  // the last element of some hundreds, and the first one of the next
  EXPECT_FALSE(times.isQuiet(1000, 1024, before));
  EXPECT_FALSE(times.isQuiet(1024, 1025, before));
  EXPECT_FALSE(times.isQuiet(0, 4096, before));
  EXPECT_TRUE(times.isQuiet(0, 512, before));
  EXPECT_TRUE(times.isQuiet(2048, 4096, before));
  EXPECT_TRUE(times.isQuiet(0, 4096, times.now()));
}

TEST(AreaTimes, NothingOutsideOfTheAreaIsQuiet) {
  const AreaTimes times(1000);
  EXPECT_FALSE(times.isQuiet(-1, 10, times.now()));
  EXPECT_FALSE(times.isQuiet(0, 5000, times.now()));
}

TEST(SharedTiles, AreTheSameByEveryPartOfTheirKey) {
  SharedTiles tiles;
  const OperationCode code, other;
  const Area area, second;
  const SharedLines lines(64, 4096, 128, 2), unswizzled(64, 0, 0, 2);
  tiles.of(code, 2, area, 64, lines).readAt = 7;
  EXPECT_EQ(tiles.of(code, 2, area, 64, lines).readAt, 7u);
  EXPECT_EQ(tiles.of(other, 2, area, 64, lines).readAt, 0u);
  EXPECT_EQ(tiles.of(code, 1, area, 64, lines).readAt, 0u);
  EXPECT_EQ(tiles.of(code, 2, second, 64, lines).readAt, 0u);
  EXPECT_EQ(tiles.of(code, 2, area, 128, lines).readAt, 0u);
  EXPECT_EQ(tiles.of(code, 2, area, 64, unswizzled).readAt, 0u);
  EXPECT_EQ(tiles.of(code, 2, area, 64, lines).readAt, 7u);
}

TEST(SharedTiles, ForgetTheOldestOfMany) {
  SharedTiles tiles;
  const OperationCode code;
  const Area area;
  for (std::int64_t at = 0; at < 40; ++at) tiles.of(code, 0, area, at, {}).claimedAt = 1;
  EXPECT_EQ(tiles.of(code, 0, area, 39, {}).claimedAt, 1u);
  EXPECT_EQ(tiles.of(code, 0, area, 0, {}).claimedAt, 0u);
}

}  // namespace
}  // namespace loom::exec::shared_tiles_test
