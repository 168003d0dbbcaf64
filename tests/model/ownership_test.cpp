#include "core/model/ownership.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/ir/build.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::ownership_test {
namespace {

using testing::ElementsAre;

class TensorCoreLesson : public testing::Test {
 protected:
  device::Program program = tensorCore();
  KernelAccesses k = accessesOf(program.kernels.front());
  const Access& access(const std::string& buffer, bool write) { return *find(k, buffer, write); }
  int loop(const std::string& name, const Access& a) {
    for (int l : a.loops)
      if (k.loops[std::size_t(l)].var->name == name) return l;
    ADD_FAILURE() << "no loop " << name;
    return -1;
  }
};

TEST_F(TensorCoreLesson, AThreadsVectorStoreIsEightNeighbours) {
  const Access& a = access("X_shared", true);
  Chosen c;
  chooseBlock(c, program.kernels.front(), 5);
  chooseThread(c, program.kernels.front(), 37);  // warp 1, lane 5
  c.loops[loop("ax0_ax1_fused_0", a)] = 1;
  auto e = elementsOf(k, a, c);
  ASSERT_TRUE(e) << e.error().message.english();
  EXPECT_THAT(*e, ElementsAre(4096 + 256 + 40, 4096 + 256 + 41, 4096 + 256 + 42, 4096 + 256 + 43, 4096 + 256 + 44,
                              4096 + 256 + 45, 4096 + 256 + 46, 4096 + 256 + 47));
}

// What is fixed adds to the constant what it adds as a variable of the index.
TEST_F(TensorCoreLesson, AFixedValueIsPartOfTheConstant) {
  int terms = 0;
  for (const Access& a : k.accesses) {
    const auto whole = separate(k, a);
    ASSERT_TRUE(whole) << whole.error().message.english();
    for (const Part& p : whole->parts) {
      for (const std::size_t value : {std::size_t{0}, p.adds.size() / 2, p.adds.size() - 1}) {
        Chosen c;
        (p.axis == Axis::Block ? c.block : p.axis == Axis::Thread ? c.thread : c.loops)[p.number] = std::int64_t(value);
        const auto rest = separate(k, a, c);
        ASSERT_TRUE(rest) << rest.error().message.english();
        EXPECT_EQ(rest->parts.size() + 1, whole->parts.size());
        EXPECT_EQ(rest->constant, whole->constant + p.adds[value]);
        ++terms;
      }
    }
  }
  EXPECT_GT(terms, 30);
}

TEST_F(TensorCoreLesson, ABlockStoresItsTileAndTheGridTheWhole) {
  const Access& a = access("Z", true);
  Chosen block;
  chooseBlock(block, program.kernels.front(), 9);
  EXPECT_EQ(footprint(k, a, block).value(), 128 * 128);
  EXPECT_EQ(elementsOf(k, a, block)->front(), 128 * 1024 + 128) << "block 9 is row 1, column 1 of 8×8";
  EXPECT_EQ(footprint(k, a, {}).value(), 1024 * 1024);
  EXPECT_EQ(touchedUnits(k, a, block, 32).value(), 128 * 128 * 4 / 32);
}

// What is copied before a pipelined loop and what is copied in it are parts, none of which is all of the operand.
TEST(Footprint, CopiesBeforeALoopAndInItTouchTheWholeTogether) {
  const ScheduledText text = warpgroupProduct(false);
  const device::Program program = lowered(text.function, text.lines);
  const KernelAccesses k = accessesOf(program.kernels.front());
  std::vector<const Access*> copies;
  std::vector<std::int64_t> each;
  for (const Access& a : k.accesses) {
    if (a.memory != device::Memory::Global || a.write || a.buffer->name != "X") continue;
    copies.push_back(&a);
    each.push_back(footprint(k, a, {}).value());
  }
  ASSERT_GT(copies.size(), 1U);
  EXPECT_LT(*std::ranges::max_element(each), 128 * 256);
  const auto footprints = footprintsOf(k, copies, {});
  ASSERT_TRUE(footprints) << footprints.error().message.english();
  EXPECT_EQ(footprints->each, each);
  ASSERT_TRUE(footprints->together) << footprints->together.error().message.english();
  EXPECT_EQ(*footprints->together, 128 * 256);
}

TEST(Footprint, AccessesThatDifferInSeveralLoopsAreJoined) {
  const device::Program program = lowered(readText("tests/programs/copies_of_two_kinds.py"), "");
  const KernelAccesses k = accessesOf(program.kernels.front());
  std::vector<const Access*> reads;
  for (const Access& a : k.accesses)
    if (!a.write) reads.push_back(&a);
  ASSERT_EQ(reads.size(), 2U);
  const auto footprints = footprintsOf(k, reads, {});
  ASSERT_TRUE(footprints) << footprints.error().message.english();
  EXPECT_EQ(footprints->each, (std::vector<std::int64_t>{8, 16}));
  ASSERT_TRUE(footprints->together) << footprints->together.error().message.english();
  EXPECT_EQ(*footprints->together, 24);
}

TEST_F(TensorCoreLesson, AnElementOfTheResultHasOneOwner) {
  auto o = ownersOf(k, access("Z", true), 130 * 1024 + 300);
  ASSERT_TRUE(o) << o.error().message.english();
  ASSERT_EQ(o->owners.size(), 1u);
  EXPECT_EQ(o->owners[0].block[0], 8 + 2) << "rows 128…255, columns 256…383";
  EXPECT_EQ(o->owners[0].thread[1], 0 * 4 + 1) << "warp row 0, warp column 1 of 4×4";
  EXPECT_EQ(o->repeated, 1);
}

TEST_F(TensorCoreLesson, AnElementOfAnOperandIsReadByEightBlocks) {
  auto o = ownersOf(k, access("X", false), 5 * 1024 + 77);
  ASSERT_TRUE(o);
  EXPECT_EQ(o->owners.size(), 8u) << "the blocks of its row of tiles";
  for (const Owner& owner : o->owners) EXPECT_LT(owner.block[0], 8);
}

TEST_F(TensorCoreLesson, OwnersAndElementsAgree) {
  const Access& a = access("Y", false);
  for (std::int64_t element : {std::int64_t{0}, std::int64_t{123456}, std::int64_t{1024 * 1024 - 1}}) {
    auto owners = ownersOf(k, a, element);
    ASSERT_TRUE(owners);
    ASSERT_FALSE(owners->owners.empty());
    for (const Owner& o : owners->owners) {
      Chosen c;
      for (int axis = 0; axis < 3; ++axis) {
        c.block[axis] = o.block[std::size_t(axis)];
        c.thread[axis] = o.thread[std::size_t(axis)];
      }
      c.loops = o.loops;
      EXPECT_THAT(*elementsOf(k, a, c), testing::Contains(element));
    }
  }
}

TEST_F(TensorCoreLesson, WhatNobodyTouchesHasNoOwner) {
  EXPECT_TRUE(ownersOf(k, access("Z", true), -1)->owners.empty());
  EXPECT_TRUE(ownersOf(k, access("Z", true), 1024 * 1024)->owners.empty());
}

TEST_F(TensorCoreLesson, TooManyOwnersAreCutAndSaid) {
  auto o = ownersOf(k, access("X", false), 5 * 1024 + 77, 3);
  EXPECT_EQ(o->owners.size(), 3u);
  EXPECT_FALSE(o->complete);
}

TEST_F(TensorCoreLesson, ChoicesOutsideTheirAxisAreRefused) {
  Chosen c;
  c.block[0] = 64;
  EXPECT_EQ(elementsOf(k, access("Z", true), c).error().code, "InvalidArgument");
  EXPECT_EQ(elementsOf(k, access("Z", true), {}, 1000).error().code, "TooMany");
}

TEST(Ownership, GuardsRuleThreadsOut) {
  device::Program p = lowered(tests::programText("vector_copy", {{"N", 100}, {"TYPE", "float32"}}),
                              tests::scheduleText("blocks_of_threads", {{"THREADS", 64}}));
  KernelAccesses k = accessesOf(p.kernels.front());
  const Access& a = *find(k, "B", true);
  Chosen c;
  chooseBlock(c, p.kernels.front(), 1);
  chooseThread(c, p.kernels.front(), 35);
  EXPECT_THAT(*elementsOf(k, a, c), ElementsAre(99));
  chooseThread(c, p.kernels.front(), 36);
  EXPECT_TRUE(elementsOf(k, a, c)->empty()) << "100 is past the end";
  EXPECT_EQ(footprint(k, a, c).value(), 0);
  Chosen block;
  chooseBlock(block, p.kernels.front(), 1);
  EXPECT_EQ(elementsOf(k, a, block)->size(), 36U) << "threads 36 … 63 are left open, and do nothing";
  EXPECT_EQ(footprint(k, a, block).value(), 36);
  EXPECT_EQ(footprint(k, a, {}).value(), 100);
  EXPECT_EQ(touchedUnits(k, a, {}, 32).value(), 13) << "400 bytes";
}

// Blocks that stay and take tile after tile, in groups of columns: the turn and the block are joined by quotients.
class BlocksThatStay : public testing::Test {
 protected:
  static constexpr std::int64_t kRows = 12, kColumns = 32, kBlocks = 5;  // 48 tiles: the last turn has no work for two
  device::Program program = lowered(tests::programText("copy_of_a_matrix", {{"M", kRows}, {"N", kColumns}}),
                                    tests::scheduleText("blocks_that_stay", {{"BLOCK", "C"}, {"GRID", kBlocks}}));
  KernelAccesses k = accessesOf(program.kernels.front());
  const Access& a = *find(k, "C", true);

  // The elements of a block's tiles, ascending.
  static std::vector<std::int64_t> elementsOfBlock(std::int64_t block) {
    std::vector<std::int64_t> all;
    for (std::int64_t tile = block; tile < 48; tile += kBlocks) {
      const std::int64_t row = tile % 12 / 2 * 2, column = (tile / 12 * 2 + tile % 2) * 4;
      for (std::int64_t e = 0; e < 8; ++e) all.push_back((row + e / 4) * kColumns + column + e % 4);
    }
    std::ranges::sort(all);
    return all;
  }
};

TEST_F(BlocksThatStay, TouchTheElementsOfTheirTiles) {
  EXPECT_EQ(separate(k, a).error().code, "NotSeparable");
  for (std::int64_t block = 0; block < kBlocks; ++block) {
    Chosen c;
    chooseBlock(c, program.kernels.front(), block);
    const auto elements = elementsOf(k, a, c);
    ASSERT_TRUE(elements) << elements.error().message.english();
    EXPECT_EQ(*elements, elementsOfBlock(block)) << block;
    EXPECT_EQ(elementRuns(k, a, c).value(), arith::runsOf(elementsOfBlock(block))) << block;
    EXPECT_EQ(footprint(k, a, c).value(), std::int64_t(elementsOfBlock(block).size())) << block;
  }
  EXPECT_EQ(footprint(k, a, {}).value(), kRows * kColumns);
}

TEST_F(BlocksThatStay, OwnTheElementsOfTheirTiles) {
  for (std::int64_t element = 0; element < kRows * kColumns; element += 7) {
    const auto owners = ownersOf(k, a, element);
    ASSERT_TRUE(owners) << owners.error().message.english();
    ASSERT_EQ(owners->owners.size(), 1U) << element;
    const Owner& owner = owners->owners.front();
    EXPECT_THAT(elementsOfBlock(owner.block[0]), testing::Contains(element));
    Chosen c;
    for (int axis = 0; axis < 3; ++axis) {
      c.block[axis] = owner.block[std::size_t(axis)];
      c.thread[axis] = owner.thread[std::size_t(axis)];
    }
    c.loops = owner.loops;
    EXPECT_THAT(*elementsOf(k, a, c), ElementsAre(element));
  }
}

// The index has blockIdx.y and threadIdx.x in one term, and blockIdx.x in another.
TEST(Ownership, OwnersAreInTheOrderOfBlocksAndThenOfThreads) {
  device::Program program = copy(1, 1, "float32");
  device::Kernel& kernel = program.kernels.front();
  kernel.grid = {4, 4, 1};
  kernel.block = {4, 1, 1};
  const auto half = [](const ir::Expr& e) { return ir::floormod(e, ir::intImm(2)); };
  auto store = std::make_shared<device::StoreNode>();
  store->to = {
      kernel.params.back(),
      {half(ir::Expr(kernel.blockIdx[1]) + ir::Expr(kernel.threadIdx[0])) + half(kernel.blockIdx[0]) * ir::intImm(2)},
      1,
      true};
  store->value = ir::zero(ir::DType::Float(32));
  kernel.body = store;
  const KernelAccesses k = accessesOf(kernel);
  const auto owners = ownersOf(k, k.accesses.front(), 0);
  ASSERT_TRUE(owners) << owners.error().message.english();
  std::vector<std::array<std::int64_t, 3>> places;  // block along y and x, thread
  for (const Owner& o : owners->owners) places.push_back({o.block[1], o.block[0], o.thread[0]});
  EXPECT_EQ(places.size(), 16U);
  EXPECT_TRUE(std::ranges::is_sorted(places));
}

TEST(OwnershipRefuses, VariablesOfVeryManyValues) {
  device::Program p = lowered(tests::programText("vector_copy", {{"N", 8589934592}, {"TYPE", "float32"}}), "");
  KernelAccesses k = accessesOf(p.kernels.front());
  EXPECT_EQ(separate(k, *find(k, "B", true)).error().code, "TooMany");
  EXPECT_EQ(footprint(k, *find(k, "B", true), {}).error().code, "TooMany");
}

TEST(OwnershipRefuses, AddressesThatMemoryDecides) {
  device::Program p =
      lowered(tests::programText("gather", {{"N", 64}}), tests::scheduleText("threads_of_one_axis", {{"BLOCK", "B"}}));
  KernelAccesses k = accessesOf(p.kernels.front());
  EXPECT_EQ(separate(k, *find(k, "A", false)).error().code, "NotSeparable");
  EXPECT_EQ(ownersOf(k, *find(k, "A", false), 3).error().code, "NotSeparable");
}

TEST_F(TensorCoreLesson, BuffersLiveOnTheirLevelsAndLinksCarryTheirBytes) {
  KernelCount c = countKernel(k);
  Hierarchy h = hierarchyOf(k, c);
  auto resident = [&](const std::string& name) -> const BufferLifetime& {
    return *std::find_if(h.residents.begin(), h.residents.end(),
                         [&](const BufferLifetime& r) { return r.buffer->name == name; });
  };
  const BufferLifetime& shared = resident("X_shared");
  EXPECT_EQ(shared.bytes, 128 * 64 * 2);
  EXPECT_EQ(shared.firstBlock, "X_shared");
  EXPECT_NEAR(shared.reuse->value, 4, 1e-9) << "four warps of a row read what one copy brought";
  EXPECT_EQ(resident("X").footprint->value, 128 * 1024 * 2);
  EXPECT_EQ(resident("X").gridFootprint->value, 1024 * 1024 * 2);
  EXPECT_GE(resident("Z_wmma.accumulator").first, 0) << "fragments are used";
  EXPECT_EQ(h.find(Place::Memory, Place::L2)->bytes, 2 * 1024 * 1024 * 2);
  EXPECT_EQ(h.find(Place::Global, Place::Shared)->bytes, 2 * 8 * 1024 * 1024 * 2);
  EXPECT_EQ(h.find(Place::Shared, Place::Registers)->bytes, 4 * 2 * 8 * 1024 * 1024 * 2);
  EXPECT_EQ(h.find(Place::Registers, Place::Global)->bytes, 1024 * 1024 * 4);
  EXPECT_EQ(h.find(Place::Shared, Place::Global), nullptr);
}

TEST(Hierarchy, WhatAKernelReadsOfItsOwnResultNeedNotComeFromMemory) {
  const auto read = [](const device::Program& p) {
    const KernelAccesses k = accessesOf(p.kernels.front());
    return hierarchyOf(k, countKernel(k)).find(Place::Memory, Place::L2)->bytes;
  };
  // C begins with its start value: only A and B come.
  const std::string lesson = "tests/oracle/cases/lessons/fp32_v1_one_dim_threads";
  EXPECT_EQ(read(lowered(readText(lesson + ".func.py"), readText(lesson + ".sched.py"))),
            (1024.0 * 2048 + 2048.0 * 512) * 4);
  EXPECT_EQ(read(lowered(tests::programText("plus_one_in_place"), "")), 64 * 4) << "what was there before is added to";
}

TEST_F(TensorCoreLesson, TheRooflineHasTheRoofOfItsOwnPath) {
  KernelCount c = countKernel(k);
  Hierarchy h = hierarchyOf(k, c);
  Roofline r = rooflineOf(k, c, h, deviceNamed("h200"));
  EXPECT_NEAR(r.intensity->value, 256, 1e-9);
  EXPECT_NEAR(r.roofs.front().tflops, 641, 0.5) << "mma.sync's, not wgmma's 989";
  EXPECT_EQ(r.roofs[std::size_t(r.lowest)].name, "shared") << "the conflicts";
  EXPECT_TRUE(r.unknown.empty());
  // What isn't known is said, not made up.
  r = rooflineOf(k, c, h, deviceNamed("h100_pcie"));
  ASSERT_FALSE(r.unknown.empty());
  EXPECT_NE(r.unknown.front().find("mma.sync"), std::string::npos);
  EXPECT_EQ(r.peakUnknown, r.unknown.front());
  EXPECT_EQ(r.lowest, -1) << "the roof that isn't known may be the one that binds";
}

}  // namespace
}  // namespace loom::model::ownership_test
