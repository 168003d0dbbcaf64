// tileloom.order: when it is legal, and what it makes of two loops.
#include "core/lower/serpentine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::serpentine_test {
namespace {

using testing::HasSubstr;

Result<device::Program> lowered(const std::string& lines, int m, int n) {
  const std::string function =
      tests::programText("product_of_type", {{"M", m}, {"N", n}, {"K", 64}, {"TYPE", "float32"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto calls = script::parseSchedule(lines, "test.sched.py").value();
  auto replay = schedule::replay(state, calls, {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}
// A product of warps whose threads have 4 × 4 elements each; `more` follows the schedule.
Result<device::Program> warpTiles(const std::string& more) {
  return lowered(tests::scheduleText("warp_tiles") + more, 64, 64);
}
// A product on one thread.
Result<device::Program> rowsOf(const std::string& lines, int m, int n) {
  return lowered("b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n" + lines, m, n);
}
std::string refusal(const Result<device::Program>& program) {
  if (program) return "";
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_FALSE(program.error().subjects.empty());
  return program.error().message.english();
}
const std::string kRows = "sch.annotate(b, \"tileloom.order\", \"serpentine\")\n";

TEST(Serpentine, OddRowsGoBackwards) {
  const auto program = warpTiles(kRows);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_TRUE(program->remarks.empty()) << "it has an effect";
  const std::string text = device::print(*program);
  EXPECT_THAT(text, HasSubstr("unrolled for ax3 in 2:\n        unrolled for ax6 in 4:\n"));
  EXPECT_THAT(text, HasSubstr("C_reindex_local[ax3 * 8 + ax6] + A_reindex_local[ax3 * 2] * B_reindex_local[ax6]\n"));
  EXPECT_THAT(text, HasSubstr("C_reindex_local[ax3 * 8 + 7 - ax6] + A_reindex_local[ax3 * 2 + 1] * "
                              "B_reindex_local[3 - ax6]\n"));
}

// Two loops fused into one have one index in the end, whatever the coordinates.
TEST(Serpentine, TurnsFusedLoopsAsOne) {
  const auto program = warpTiles(tests::scheduleText("fused_columns") + kRows);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(device::print(*program), HasSubstr("A_reindex_local[ax3 * 2 + 1] * B_reindex_local[3 - ax6"));
}

// The last of three rows has none to come back.
TEST(Serpentine, LeavesTheLastOfAnOddNumberOfRows) {
  const auto program = rowsOf(tests::scheduleText("unrolled_rows_of_three") + kRows, 9, 4);
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_THAT(device::print(*program), HasSubstr("if i_1 < 1:"));
}

TEST(Serpentine, WhatItCannotBeIsRefusedWithTheReason) {
  EXPECT_THAT(refusal(warpTiles("sch.annotate(b, \"tileloom.order\", \"zigzag\")\n")),
              HasSubstr("tileloom.order of block C_update is \"serpentine\""));
  EXPECT_THAT(refusal(warpTiles("sch.annotate(b, \"tileloom.order\", 2)\n")), HasSubstr("is \"serpentine\""));
  EXPECT_THAT(refusal(warpTiles("sch.annotate(c, \"tileloom.order\", \"serpentine\")\n")),
              HasSubstr("is over two unrolled loops, and ax1 isn't unrolled"));
  EXPECT_THAT(refusal(warpTiles("sch.annotate(sch.get_block(\"root\"), \"tileloom.order\", \"serpentine\")\n")),
              HasSubstr("it has no such two"));
  EXPECT_THAT(refusal(rowsOf("sch.unroll(j)\nsch.unroll(k)\n" + kRows, 8, 8)),
              HasSubstr("block C sums over loop k (vk): another order would give other bits"));
}

}  // namespace
}  // namespace loom::lower::serpentine_test
