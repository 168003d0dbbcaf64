#include "core/model/persistent_turns.h"

#include <gmock/gmock.h>

#include "tests/model/lesson_lines.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::persistent_turns_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::int64_t> turnsOf(const std::string& chapter) {
  return persistentTurns(lowered(readText("assets/lessons/hopper/function.py"), linesTo("hopper", chapter)).kernels[0]);
}

TEST(PersistentTurns, AreHowManyBlocksHaveATileInEach) {
  EXPECT_THAT(turnsOf("persistent"), ElementsAre(132, 132, 132, 116)) << "512 tiles";
  EXPECT_THAT(turnsOf("waves"), ElementsAre(132, 132, 132, 132, 132, 132, 132, 132, 128)) << "1184 tiles";
}

TEST(PersistentTurns, AreThoseOfTheLoadsWhereWarpgroupsTakeTurns) {
  EXPECT_THAT(turnsOf("in_flight"), ElementsAre(132, 132, 132, 132, 132, 132, 132, 100)) << "1024 tiles";
}

TEST(PersistentTurns, OfOtherKernelsThereAreNone) {
  EXPECT_THAT(turnsOf("raster"), IsEmpty()) << "a block for each tile";
  EXPECT_THAT(persistentTurns(tensorCore().kernels.front()), IsEmpty());
  // Rows that don't divide: the last block has fewer, but nobody goes on to another tile.
  const std::string product = tests::programText("product", {{"M", 256}, {"N", 32}, {"K", 32}});
  EXPECT_THAT(persistentTurns(lowered(product, tests::scheduleText("uneven_rows_on_blocks")).kernels.front()),
              IsEmpty());
}

}  // namespace
}  // namespace loom::model::persistent_turns_test
