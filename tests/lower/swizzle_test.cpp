// tileloom.swizzle: when it is legal, and what it makes of addresses.
#include "core/lower/swizzle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::swizzle_test {
namespace {

using testing::HasSubstr;

// A 256³ product whose threads read 16 bytes each of 32 rows of a shared tile, 32 × 32; `more` follows the schedule.
Result<device::Program> rowReads(const std::string& more, const std::string& type = "float32") {
  const std::string function =
      tests::programText("product_of_type", {{"M", 256}, {"N", 256}, {"K", 256}, {"TYPE", type}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto calls = script::parseSchedule(tests::scheduleText("row_reads") + more, "test.sched.py").value();
  auto replay = schedule::replay(state, calls, {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}

std::string refusal(const Result<device::Program>& program) {
  if (program) return "";
  EXPECT_EQ(program.error().code, "NotAKernel");
  EXPECT_EQ(program.error().subjects.size(), 2U) << "the block and the buffer";
  return program.error().message.english();
}
std::string annotate(const std::string& block, const std::string& span) {
  return fmt::format("sch.annotate({}, \"tileloom.swizzle\", {})\n", block, span);
}

TEST(Swizzle, IsPartOfTheLayoutAndOfEveryAddress) {
  const auto program = rowReads(annotate("a", "128"));
  ASSERT_TRUE(program) << program.error().message.english();
  const device::Kernel& kernel = program->kernels[0];
  const auto tile = std::ranges::find(kernel.allocations, device::Memory::Shared, &device::Allocation::memory);
  ASSERT_EQ(tile->layout.stages().size(), 2U);
  EXPECT_EQ(std::get<layout::XorStage>(tile->layout.stages()[1]), (layout::XorStage{3, 2, 3}));
  EXPECT_EQ(tile->elements, 32 * 32) << "no padding";
  EXPECT_EQ(tile->alignment, 1024);
  EXPECT_EQ(tile->layout.apply({3, 4})->front(), 3 * 32 + (1 ^ 3) * 4) << "the second piece of row 3";
  const std::string text = device::print(*program);
  EXPECT_THAT(text, HasSubstr("threadIdx.x * 32 + bitwise_xor(k_1 * 4, threadIdx.x %% 8 * 4)"));
  EXPECT_TRUE(program->remarks.empty()) << "it has an effect";
  const auto asked = device::annotatedBlocks(kernel.body, kSwizzle);
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_EQ(asked[0]->name, "A_shared");
  EXPECT_EQ(asked[0]->writes.front()->name, "A_shared");
}

TEST(Swizzle, SpansOf64And32BytesTurnTheirOwnPieces) {
  for (const auto& [type, span, bits, base] : {std::tuple{"float16", 64, 2, 3}, std::tuple{"int8", 32, 1, 4}}) {
    const auto program = rowReads(annotate("a", std::to_string(span)), type);
    ASSERT_TRUE(program) << type << ": " << program.error().message.english();
    const auto& allocations = program->kernels[0].allocations;
    const auto tile = std::ranges::find(allocations, device::Memory::Shared, &device::Allocation::memory);
    EXPECT_EQ(std::get<layout::XorStage>(tile->layout.stages()[1]), (layout::XorStage{bits, base, 3})) << type;
    EXPECT_TRUE(tile->layout.inverse()) << "each element has a place of its own";
  }
}

// Rows of 128 bytes, swizzled by 64: the first 64 bytes of all rows, then the others.
TEST(Swizzle, LongerRowsLieInSlabs) {
  const auto program = rowReads(annotate("a", "64"));
  ASSERT_TRUE(program) << program.error().message.english();
  const auto& allocations = program->kernels[0].allocations;
  const auto tile = std::ranges::find(allocations, device::Memory::Shared, &device::Allocation::memory);
  EXPECT_EQ(tile->layout.apply({3, 4})->front(), 3 * 16 + (1 ^ 1) * 4) << "line 3 of 64 bytes, in the second 128";
  EXPECT_EQ(tile->layout.apply({0, 16})->front(), 32 * 16) << "the second slab";
  EXPECT_TRUE(tile->layout.inverse()) << "each element has a place of its own";
}

TEST(Swizzle, WhatItCannotBeIsRefusedWithTheNumbers) {
  EXPECT_THAT(refusal(rowReads(annotate("a", "48"))), HasSubstr("is 32, 64 or 128"));
  const auto shorter = rowReads(annotate("a", "128"), "float16");
  EXPECT_THAT(refusal(shorter),
              HasSubstr("rows of A_shared are 64 bytes long; a swizzle of 128 bytes takes rows of 128"));
  EXPECT_EQ(shorter.error().remedy.english(), "sch.annotate(…, \"tileloom.swizzle\", 64)");
  EXPECT_THAT(refusal(rowReads(annotate("r", "128"))), HasSubstr("isn't shared memory of the kernel"));
  EXPECT_THAT(refusal(rowReads("sch.storage_align(a, 0, 0, 32, 8)\n" + annotate("a", "128"))), HasSubstr("are padded"));
  EXPECT_THAT(refusal(rowReads(annotate("a", "\"wide\""))), HasSubstr("is 32, 64 or 128"));
}

// --- permuted_layout ---

std::string permute(const std::string& value, const std::string& block = "a") {
  return fmt::format("sch.annotate({}, \"permuted_layout\", {})\n", block, value);
}
std::vector<layout::Stage> stagesOf(const Result<device::Program>& program) {
  EXPECT_TRUE(program) << program.error().message.english();
  const auto& allocations = program->kernels[0].allocations;
  return std::ranges::find(allocations, device::Memory::Shared, &device::Allocation::memory)->layout.stages();
}
// A tile of 32 rows with as many columns.
Result<device::Program> columns(int n, const std::string& more, const std::string& type = "float16") {
  const std::string function =
      tests::programText("product_of_type", {{"M", 256}, {"N", 256}, {"K", 1152}, {"TYPE", type}});
  std::string lines = tests::scheduleText("row_reads");
  lines.replace(lines.find("[None, 8, 4])\nsch.reorder"), 12, "[None, " + std::to_string(n / 4) + ", 4]");
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto replay = schedule::replay(state, script::parseSchedule(lines + more, "test.sched.py").value(), {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}

// TVM 0.22, InjectPermutedLayout: rows of 64 elements turn 8 pieces by the row, rows of 32 turn 4 by half of it.
TEST(PermutedLayout, IsTvmsPatternAsALayout) {
  const auto rows64 = stagesOf(columns(64, permute("\"g2s_A\"")));
  ASSERT_EQ(rows64.size(), 2U);
  EXPECT_EQ(std::get<layout::XorStage>(rows64[1]), (layout::XorStage{3, 3, 3}));
  const auto rows32 = stagesOf(columns(32, permute("1")));
  ASSERT_EQ(rows32.size(), 2U);
  EXPECT_EQ(std::get<layout::XorStage>(rows32[1]), (layout::XorStage{2, 3, 3}));
  const auto rows128 = stagesOf(columns(128, permute("\"s2l_A\"", "r")));
  ASSERT_EQ(rows128.size(), 2U) << "asked for by the block that reads";
  EXPECT_EQ(std::get<layout::XorStage>(rows128[1]), (layout::XorStage{3, 3, 4}));
  // 16 bytes at one column of 8 neighbouring rows are in all 8 places of 128 bytes, whatever the length of a row.
  for (int n : {32, 64, 96, 128, 192}) {
    const auto program = columns(n, permute("\"g2s_A\""));
    const auto& allocations = program->kernels[0].allocations;
    const auto& layout = std::ranges::find(allocations, device::Memory::Shared, &device::Allocation::memory)->layout;
    std::set<std::int64_t> places;
    for (std::int64_t row = 0; row < 8; ++row) places.insert(layout.apply({row, 8})->front() * 2 % 128);
    EXPECT_EQ(places.size(), 8U) << n;
    EXPECT_TRUE(layout.inverse()) << n;
  }
}

TEST(PermutedLayout, IsOffWhereItsValueIsEmptyOrZero) {
  for (const char* off : {"\"\"", "0"}) EXPECT_EQ(stagesOf(columns(64, permute(off))).size(), 1U) << off;
}

TEST(PermutedLayout, HasNoEffectWithoutSharedMemory) {
  const auto program = columns(64, permute("1", "c"));
  ASSERT_TRUE(program);
  ASSERT_EQ(program->remarks.size(), 1U);
  EXPECT_THAT(program->remarks[0].text.english(), HasSubstr("has no effect on the kernel"));
}

TEST(PermutedLayout, WhatItCannotBeIsRefusedWithTheNumbers) {
  EXPECT_THAT(refusal(columns(48, permute("1"))),
              HasSubstr("rows of A_shared have 48 elements; a permuted layout takes a multiple of 32"));
  EXPECT_THAT(refusal(columns(64, "sch.storage_align(a, 0, 0, 64, 8)\n" + permute("1"))), HasSubstr("are padded"));
  EXPECT_THAT(refusal(columns(64, permute("1") + annotate("a", "128"))), HasSubstr("both tileloom.swizzle and"));
  const auto list = columns(64, permute("[1]"));
  ASSERT_FALSE(list);
  EXPECT_THAT(list.error().message.english(), HasSubstr("is neither a text nor a number"));
}

}  // namespace
}  // namespace loom::lower::swizzle_test
