#include "app/panels/thread_binding/view/turns.h"

#include <gmock/gmock.h>

#include <set>

#include "app/panels/thread_binding/view/waves.h"
#include "tests/model/lesson_lines.h"
#include "tests/schedules/schedule_text.h"

namespace loom::session::thread_binding_turns_test {
namespace {

ThreadBinding bindingOfChapter(const std::string& chapter) {
  return ThreadBinding(std::make_shared<device::Program>(
      model::lowered(model::readText("assets/lessons/hopper/function.py"), model::linesTo("hopper", chapter))));
}

BlockWaves wavesOf(const ThreadBinding& binding) {
  model::Occupancy occupancy;
  occupancy.blocks = 1;
  return blockWaves(binding, occupancy, model::deviceNamed("h200")).value();
}

TEST(TurnTiles, OfTheFirstTurnAreWhatTheOrderOfTilesMakesThem) {
  const auto tiles = turnTiles(bindingOfChapter("persistent"));
  ASSERT_TRUE(tiles);
  EXPECT_EQ(tiles->columns, 16);
  EXPECT_EQ(tiles->rows, 32);
  std::set<std::int64_t> rows;
  int first = 0;
  for (std::int64_t i = 0; i < std::int64_t(tiles->tiles.size()); ++i) {
    if (tiles->tiles[std::size_t(i)].turn != 0) continue;
    ++first;
    rows.insert(i / tiles->columns);
  }
  EXPECT_EQ(first, 132);
  EXPECT_EQ(rows.size(), 12U) << "eight rows of tiles, and the last four blocks' rows of the next eight";
  EXPECT_EQ(tiles->tiles.front(), (TurnTile{0, 0}));
  EXPECT_EQ(tiles->tiles.back(), (TurnTile{511 % 132, 3}));
}

TEST(TurnTiles, AreThereWhereWarpgroupsTakeTurnsAndWhereBlocksShare) {
  for (const char* chapter : {"in_flight", "clusters", "waves"}) {
    const ThreadBinding binding = bindingOfChapter(chapter);
    const auto tiles = turnTiles(binding);
    ASSERT_TRUE(tiles) << chapter;
    std::vector<std::int64_t> turns;
    for (const TurnTile& tile : tiles->tiles) {
      turns.resize(std::max(turns.size(), std::size_t(tile.turn) + 1));
      ++turns[std::size_t(tile.turn)];
    }
    EXPECT_EQ(turns, wavesOf(binding).turns) << chapter;
  }
}

TEST(TurnTiles, OfOtherKernelsThereAreNone) { EXPECT_FALSE(turnTiles(bindingOfChapter("raster"))); }

TEST(BlockWaves, OfBlocksThatStayReadWhatOneTurnNeeds) {
  const BlockWaves before = wavesOf(bindingOfChapter("raster")), after = wavesOf(bindingOfChapter("persistent"));
  EXPECT_EQ(after.distinct, before.distinct) << "the same tiles at once";
  EXPECT_EQ(after.reads[0].asked, before.reads[0].asked);
}

// A split that doesn't divide checks its bounds, which is no condition of tiles.
TEST(BlockWaves, OfABoundsCheckReadAllRowsOfABlock) {
  const ThreadBinding binding(std::make_shared<device::Program>(
      model::lowered(tests::programText("vector_copy", {{"N", 1000}, {"TYPE", "float32"}}),
                     "i, j = sch.split(sch.get_loops(sch.get_block(\"B\"))[0], [None, 16])\n"
                     "sch.bind(i, \"blockIdx.x\")\n")));
  const BlockWaves waves = wavesOf(binding);
  ASSERT_EQ(waves.reads.size(), 1U);
  EXPECT_EQ(waves.blocks, 63);
  EXPECT_EQ(waves.distinct, 4000);
}

TEST(BlockWaves, CountWhatAPipelineAsksForBeforeItsLoop) {
  const BlockWaves plain = wavesOf(bindingOfChapter("large")), ring = wavesOf(bindingOfChapter("ring"));
  ASSERT_EQ(ring.reads.size(), plain.reads.size());
  for (std::size_t i = 0; i < ring.reads.size(); ++i) EXPECT_EQ(ring.reads[i].asked, plain.reads[i].asked);
}

TEST(ThreadBinding, OfSeveralStatementsThatDoTheSameThePipelinesLoopIsFound) {
  const ThreadBinding binding = bindingOfChapter("ring");
  EXPECT_EQ(binding.runsOf(binding.find("X_shared.dyn", "X", false)), 61) << "the other three copies come before it";
}

}  // namespace
}  // namespace loom::session::thread_binding_turns_test
