// tileloom.min_blocks: when so many blocks fit.
#include "core/lower/resident_blocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/intrin/intrinsic.h"
#include "core/lower/lower.h"
#include "core/schedule/replay.h"
#include "core/script/parser.h"
#include "tests/schedules/schedule_text.h"

namespace loom::lower::resident_blocks_test {
namespace {

using testing::HasSubstr;

// A 1024³ product whose threads keep 16 elements each, 1024 threads a block; `more` follows the schedule.
Result<device::Program> rows(const std::string& more) {
  const std::string function =
      tests::programText("product_of_type", {{"M", 1024}, {"N", 1024}, {"K", 1024}, {"TYPE", "float32"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto calls = script::parseSchedule(tests::scheduleText("warp_tiles") + more, "test.sched.py").value();
  auto replay = schedule::replay(state, calls, {});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  return lower(replay.last.module().functions.front());
}
Result<device::Program> asking(const std::string& n) {
  return rows("sch.annotate(b, \"tileloom.min_blocks\", " + n + ")\n");
}
std::string refusal(const Result<device::Program>& program) {
  if (program) return "";
  EXPECT_EQ(program.error().code, "NotAKernel");
  return program.error().message.english();
}

TEST(ResidentBlocks, AreWhatABlockAsksFor) {
  const auto program = asking("4");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_TRUE(program->remarks.empty()) << "it has an effect";
  EXPECT_EQ(residentBlocks(program->kernels[0]).blocks, 4);
  const auto plain = rows("");
  EXPECT_EQ(residentBlocks(plain->kernels[0]).blocks, 0);
}

TEST(ResidentBlocks, AnyBlockOfTheKernelMayAsk) {
  const auto program = rows("sch.annotate(xs, \"tileloom.min_blocks\", 3)\n");
  ASSERT_TRUE(program) << program.error().message.english();
  EXPECT_EQ(residentBlocks(program->kernels[0]).blocks, 3);
  EXPECT_THAT(
      refusal(rows("sch.annotate(xs, \"tileloom.min_blocks\", 3)\nsch.annotate(b, \"tileloom.min_blocks\", 2)\n")),
      HasSubstr("of the same kernel for"));
}

TEST(ResidentBlocks, MoreThanFitAreRefusedWithTheNumbers) {
  EXPECT_THAT(refusal(asking("0")), HasSubstr("is a number from 1 to 32"));
  EXPECT_THAT(refusal(asking("33")), HasSubstr("is a number from 1 to 32"));
  EXPECT_THAT(refusal(asking("\"two\"")), HasSubstr("is a number from 1 to 32"));
  // 2 KiB and 1 KiB of tiles, padded, and the driver's 1 KiB: 32 blocks of 3,328 bytes fit.
  EXPECT_TRUE(asking("32"));
}

TEST(ResidentBlocks, EachResourceHasItsLimit) {
  device::Kernel kernel = asking("4")->kernels[0];
  kernel.block = {32, 17, 1};
  EXPECT_THAT(checkResidentBlocks(kernel).error().message.english(),
              HasSubstr("4 blocks of 544 threads are 2176 threads on a multiprocessor; the hardware allows 2048"));
  kernel.block = {32, 16, 1};
  EXPECT_TRUE(checkResidentBlocks(kernel)) << "32 registers a thread, of which the largest array takes 16";
  for (device::Allocation& a : kernel.allocations)
    if (a.memory == device::Memory::Local && a.elements == 16) a.elements = 32;
  EXPECT_THAT(checkResidentBlocks(kernel).error().message.english(),
              HasSubstr("4 blocks of 512 threads leave 32 registers for a thread, and C_reindex_local alone takes 32"));
  kernel.allocations.front().memory = device::Memory::Shared;
  kernel.allocations.front().offset = 60 * 1024;
  const auto shared = checkResidentBlocks(kernel);
  EXPECT_THAT(shared.error().message.english(), HasSubstr("1024 of them the driver's"));
  EXPECT_EQ(shared.error().remedy.english(), "tileloom.min_blocks = 3");
}

// A multiprocessor gives room to whole warps: four for 97 threads.
TEST(ResidentBlocks, AreOfWholeWarps) {
  device::Kernel kernel = rows("")->kernels[0];
  kernel.allocations.clear();
  kernel.block = {97, 1, 1};
  EXPECT_EQ(blocksThatFit(kernel, 0), 16);
  EXPECT_EQ(expectedBlocks(kernel), 65536 / (36 * 128));
  kernel.block = {128, 1, 1};
  EXPECT_EQ(blocksThatFit(kernel, 0), 16);
  kernel = asking("20")->kernels[0];
  kernel.allocations.clear();
  kernel.block = {97, 1, 1};
  const auto refused = checkResidentBlocks(kernel);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message.english(),
              HasSubstr("20 blocks of 97 threads, which take the room of 128, are 2560 threads on a multiprocessor"));
  EXPECT_EQ(refused.error().remedy.english(), "tileloom.min_blocks = 16");
}

// A product of tensor cores with as many blocks and warps as asked for, whose fragments take 24 registers.
device::Kernel productOfWarps(std::int64_t blocks, std::int64_t warps) {
  const std::string function =
      tests::programText("product_of_casts", {{"M", 64}, {"N", 64}, {"K", 64}, {"TYPE", "float16"}});
  auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
  auto calls = script::parseSchedule(tests::scheduleText("tensor_core_tile_a_block"), "test.sched.py").value();
  const intrin::Library library =
      intrin::Library::load(std::string(TILELOOM_SOURCE_DIR) + "/assets/intrinsics").value();
  auto replay = schedule::replay(state, calls, schedule::Environment{&library});
  if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
  device::Kernel kernel = lower(replay.last.module().functions.front())->kernels.at(0);
  kernel.grid = {blocks, 1, 1};
  kernel.block = {32, warps, 1};
  return kernel;
}

TEST(ResidentBlocks, ThatRunAreToldWhereTheGridHasFewerThanRegistersAllow) {
  EXPECT_EQ(residentBlocks(productOfWarps(132, 4)).blocks, 1);
  EXPECT_EQ(residentBlocks(productOfWarps(133, 4)).blocks, 2);
  EXPECT_EQ(residentBlocks(productOfWarps(396, 4)).blocks, 3) << "384 threads";
  EXPECT_EQ(residentBlocks(productOfWarps(397, 4)).blocks, 0) << "512 threads, which leave 128 registers each";
  EXPECT_EQ(residentBlocks(productOfWarps(133, 7)).blocks, 0) << "448 threads";
}

TEST(ResidentBlocks, ThatRunAreNotToldWhereItChangesNothing) {
  device::Kernel full = productOfWarps(132, 4);
  for (device::Allocation& a : full.allocations)
    if (a.fragment) a.elements *= 32;
  EXPECT_EQ(residentBlocks(full).blocks, 1) << "255 registers a thread are enough for two blocks of 128";
  full.grid = {133, 1, 1};
  EXPECT_EQ(residentBlocks(full).blocks, 0) << "as many as registers allow anyway";
  device::Kernel ofThreads = rows("")->kernels[0];
  ofThreads.block = {32, 4, 1};
  ofThreads.grid = {132, 1, 1};
  EXPECT_EQ(residentBlocks(ofThreads).blocks, 0) << "no operations of warps";
}

// 8 × 8 sums for each of 256 threads, and what they are made of: the compiler takes a few more than the 128 registers
// that each may have where two blocks are resident.
TEST(ResidentBlocks, ThatRunAreToldWhereSumsTakeNearlyAllRegisters) {
  const auto tileOf = [](int rows, int columns) {
    const std::string function =
        tests::programText("product_of_type", {{"M", 2048}, {"N", 2048}, {"K", 64}, {"TYPE", "float32"}});
    const std::string lines =
        tests::scheduleText("register_tile", {{"ROWS", rows}, {"COLUMNS", columns}, {"STEPS", 8}});
    auto state = schedule::State::create(script::parseModule(function, "test.py").value()).value();
    auto replay = schedule::replay(state, script::parseSchedule(lines, "test.sched.py").value(), {});
    if (replay.refusal) throw std::runtime_error(replay.refusal->message.english());
    return lower(replay.last.module().functions.front()).value().kernels[0];
  };
  device::Kernel kernel = tileOf(8, 8);
  const auto array = std::ranges::find(kernel.allocations, device::Memory::Local, &device::Allocation::memory);
  ASSERT_NE(array, kernel.allocations.end());
  array->elements = 80;  // with a row and a column of factors
  EXPECT_EQ(residentBlocks(kernel).blocks, 2);
  kernel.grid = {132, 1, 1};
  EXPECT_EQ(residentBlocks(kernel).blocks, 0) << "one block each";
  kernel.grid = {133, 1, 1};
  EXPECT_EQ(residentBlocks(kernel).blocks, 2);
  kernel.grid = {0, 1, 1};
  EXPECT_EQ(residentBlocks(kernel).blocks, 0) << "not known before the launch";
  kernel.grid = {133, 1, 1};
  array->elements = 72;
  EXPECT_EQ(residentBlocks(kernel).blocks, 0) << "108 of 128 leave room";
  array->elements = 96;
  EXPECT_EQ(residentBlocks(kernel).blocks, 0) << "132 are more than two blocks' threads can have";
  EXPECT_EQ(residentBlocks(tileOf(4, 4)).blocks, 0);
  kernel.grid = {396, 1, 1};
  array->elements = 40;
  EXPECT_EQ(residentBlocks(kernel).blocks, 0) << "76 of 80, which leave too few for all else";
}

}  // namespace
}  // namespace loom::lower::resident_blocks_test
