// Steps of Hopper: what they become, and what they can't be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/codegen/cuda.h"
#include "tests/exec/warpgroup_programs.h"

namespace loom::exec::copy_engine_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<device::Program> stepsAfterwards(const WarpgroupProduct& p, const std::string& more) {
  return lower::lower(scheduled(matmul(p.m, p.n, p.k, "float16"), p.lines() + more));
}
std::string whyNoCopyEngine(const WarpgroupProduct& p, const std::string& more) {
  const auto program = stepsAfterwards(p, more);
  if (program) return "";
  EXPECT_EQ(program.error().code, "NotAKernel");
  return program.error().message.english();
}

TEST(CopyEngine, BoxesOfBothMatricesAreAnnouncedTogether) {
  const device::Program program = WarpgroupProduct{}.program();
  const device::Kernel& kernel = program.kernels.front();
  ASSERT_EQ(kernel.maps.size(), 2U);
  EXPECT_EQ(kernel.maps[0].extents, (std::vector<std::int64_t>{128, 256}));
  EXPECT_EQ(kernel.maps[0].box, (std::vector<std::int64_t>{64, 64}));
  EXPECT_EQ(kernel.maps[0].swizzle, 128);
  ASSERT_EQ(kernel.mbarriers.size(), 1U);
  EXPECT_EQ(kernel.mbarriers[0].slots, 4) << "two stages ahead, and a product on its way";
  const std::string text = device::print(program);
  EXPECT_THAT(text, HasSubstr("16384 bytes to land")) << "64 × 64 elements of 2 bytes of each";
  EXPECT_THAT(text, HasSubstr("wait for products, all but the latest 1 groups"));
}

TEST(CopyEngine, WarpsThatLoadHandSlotsOver) {
  WarpgroupProduct p;
  p.loaders = true;
  const device::Program program = p.program();
  const device::Kernel& kernel = program.kernels.front();
  EXPECT_EQ(kernel.block, (std::array<std::int64_t, 3>{128, 2, 1})) << "a warpgroup more";
  ASSERT_EQ(kernel.mbarriers.size(), 2U);
  EXPECT_FALSE(kernel.mbarriers[0].open);
  EXPECT_TRUE(kernel.mbarriers[1].open) << "all slots are free at first";
  const std::string text = codegen::generate(program).text;
  EXPECT_THAT(text, HasSubstr("registers_fewer<40>()"));
  EXPECT_THAT(text, HasSubstr("registers_more<232>()"));
  EXPECT_THAT(text, Not(HasSubstr("__syncthreads();\n  for")));
}

TEST(CopyEngine, WhatItCannotDoIsRefusedWithTheRule) {
  const WarpgroupProduct p;
  EXPECT_THAT(whyNoCopyEngine(p, "sch.bind(sch.split(sch.get_loops(x)[-2], [2, None])[0], \"threadIdx.z\")\n"),
              HasSubstr("bound to threads"));
  EXPECT_THAT(whyNoCopyEngine(p, "sch.fuse(*sch.get_loops(x)[-2:])\n"),
              HasSubstr("boxes of rows and columns as they lie"));
  EXPECT_THAT(whyNoCopyEngine(p, "sch.unannotate(x, \"tileloom.swizzle\")\n"), HasSubstr("swizzled lines"));
}

// Two parts of a tile in three slots: a warpgroup that leaves a tile out would go on at a slot that is being stored.
TEST(CopyEngine, SlotsOfSumsGoRoundInTilesThatAreLeftOut) {
  const auto slots = [](int slots, int blocks) {
    WarpgroupProduct p{.m = 256, .n = 192, .k = 256, .stage = "[0, 0, 2]", .loaders = true};
    p.slab = 32, p.turns = 2, p.slots = slots, p.blocks = blocks;
    return p;
  };
  EXPECT_THAT(whyNoCopyEngine(slots(3, 2), ""),
              HasSubstr("each stores 2 parts of a tile from 3 slots of C_shared.dyn: the 2 parts that it leaves out"));
  const auto refused = stepsAfterwards(slots(3, 2), "");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().remedy.english(), "tileloom.slots = 2");
  EXPECT_EQ(whyNoCopyEngine(slots(2, 2), ""), "");
  EXPECT_EQ(whyNoCopyEngine(slots(3, 6), ""), "") << "a tile for each warpgroup";
}

// The parities of phases are the bits of one register, with loading warps and without.
TEST(CopyEngine, RingsHaveAsManySlotsAsARegisterHasBits) {
  for (bool loaders : {false, true}) {
    const auto ring = [&](const char* stage) {
      return WarpgroupProduct{.m = 64, .n = 64, .k = 64 * 40, .stage = stage, .loaders = loaders};
    };
    EXPECT_THAT(whyNoCopyEngine(ring("[0, 0, 33]"), ""),
                HasSubstr("slots of full: a thread keeps a bit for the phase of each in one register, which has 32"));
    EXPECT_THAT(whyNoCopyEngine(ring("[0, 0, 30]"), ""), Not(HasSubstr("a thread keeps a bit")));
  }
}

TEST(CopyEngine, ProductsOnTheirWayAndRegistersHaveBounds) {
  const auto flight = [](const std::string& n) {
    return "sch.unannotate(t, \"tileloom.in_flight\")\nsch.annotate(t, \"tileloom.in_flight\", " + n + ")\n";
  };
  EXPECT_THAT(whyNoCopyEngine({}, flight("8")), HasSubstr("from 0 to 7"));
  // Tiles that threads copy, without a pipeline, have one slot: nothing can stay on its way, and the state says so.
  WarpgroupProduct copied;
  copied.copiedByThreads = true;
  std::string lines = copied.lines();
  const std::size_t at = lines.find("sch.annotate(y, \"tileloom.copy\"");
  lines.erase(at, lines.find('\n', at) + 1 - at);
  const auto waits = lower::lower(scheduled(matmul(copied.m, copied.n, copied.k, "float16"), lines));
  ASSERT_TRUE(waits) << waits.error().message.english();
  ASSERT_EQ(waits->remarks.size(), 1U);
  EXPECT_THAT(waits->remarks[0].text.english(), HasSubstr("asks for 1 groups on their way"));
  EXPECT_TRUE(WarpgroupProduct{}.program().remarks.empty());
  WarpgroupProduct p;
  p.loaders = true;
  EXPECT_THAT(whyNoCopyEngine(p, "sch.unannotate(t, \"tileloom.registers\")\n"), HasSubstr("both say how many"));
  EXPECT_THAT(
      whyNoCopyEngine(p, "sch.unannotate(t, \"tileloom.registers\")\nsch.annotate(t, \"tileloom.registers\", 100)\n"),
      HasSubstr("a multiple of 8"));
}

}  // namespace
}  // namespace loom::exec::copy_engine_test
