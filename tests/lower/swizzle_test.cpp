// tileloom.swizzle: when it is legal, and what it makes of addresses.
#include "core/lower/swizzle.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower {
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
  EXPECT_THAT(text, HasSubstr("bitwise_xor(threadIdx.x * 32 + k_1 * 4, threadIdx.x %% 8 * 4)"));
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

TEST(Swizzle, WhatItCannotBeIsRefusedWithTheNumbers) {
  EXPECT_THAT(refusal(rowReads(annotate("a", "48"))), HasSubstr("is 32, 64 or 128"));
  const auto shorter = rowReads(annotate("a", "64"));
  EXPECT_THAT(refusal(shorter),
              HasSubstr("rows of A_shared are 128 bytes long; a swizzle of 64 bytes takes rows of 64"));
  EXPECT_EQ(shorter.error().remedy.english(), "sch.annotate(…, \"tileloom.swizzle\", 128)");
  EXPECT_THAT(refusal(rowReads(annotate("r", "128"))), HasSubstr("isn't shared memory of the kernel"));
  EXPECT_THAT(refusal(rowReads("sch.storage_align(a, 0, 0, 32, 8)\n" + annotate("a", "128"))), HasSubstr("are padded"));
  EXPECT_THAT(refusal(rowReads(annotate("a", "\"wide\""))), HasSubstr("is 32, 64 or 128"));
}

}  // namespace
}  // namespace loom::lower
