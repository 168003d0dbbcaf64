// A kernel that is in order, and each rule of the verifier broken once.
#include "core/device/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/device/operation.h"
#include "core/ir/build.h"

namespace loom::device::verify_test {
namespace {

using ir::intImm;
using testing::HasSubstr;

constexpr unsigned kAll =
    form::kNoLanes | form::kNoVirtual | form::kOrdered | form::kGuarded | form::kPlanned | form::kSound;
const DType kHalf = DType::Float(16), kFloat = DType::Float(32);

// 64 threads copy A[64, 16] to a shared tile, wait, and a warp each multiplies it by itself.
struct Example {
  Kernel kernel;
  Buffer a = ir::makeBuffer(Id{9, 1}, "A", kHalf, {intImm(64), intImm(16)});
  Buffer tile = ir::makeBuffer(Id{9, 2}, "A_shared", kHalf, {intImm(64), intImm(16)}, "shared");
  Buffer other = ir::makeBuffer(Id{9, 3}, "B_shared", kHalf, {intImm(16), intImm(16)}, "shared");
  Buffer left = ir::makeBuffer(Id{9, 4}, "left", kHalf, {intImm(16), intImm(16)}, "wmma.matrix_a");
  Buffer right = ir::makeBuffer(Id{9, 5}, "right", kHalf, {intImm(16), intImm(16)}, "wmma.matrix_b");
  Buffer sum = ir::makeBuffer(Id{9, 6}, "sum", kFloat, {intImm(16), intImm(16)}, "wmma.accumulator");
  std::shared_ptr<LoopNode> loop = std::make_shared<LoopNode>();
  std::shared_ptr<StoreNode> store = std::make_shared<StoreNode>();
  std::shared_ptr<OperationNode> product = std::make_shared<OperationNode>();

  Example() {
    kernel.name = "example";
    kernel.block = {32, 2, 1};
    for (int axis = 0; axis < 3; ++axis) {
      kernel.threadIdx[axis] = ir::makeVar(std::string("threadIdx.") + "xyz"[axis]);
      kernel.blockIdx[axis] = ir::makeVar(std::string("blockIdx.") + "xyz"[axis]);
    }
    kernel.params = {a};
    allocate(tile, Memory::Shared, {64, 16}, 0);
    allocate(other, Memory::Shared, {16, 16}, 2048);
    fragment(left, Operand::A);
    fragment(right, Operand::B);
    fragment(sum, Operand::Accumulator);
    loop->var = ir::makeVar("i");
    loop->extent = intImm(16);
    Expr row = Expr(kernel.threadIdx[1]) * 32 + kernel.threadIdx[0];
    store->to = {tile, {row, loop->var}};
    store->value = ir::load(a, {row, loop->var});
    loop->body = store;
    product->row = findOperation("wmma.mma");
    for (const Buffer& b : {sum, left, right, sum}) product->places.push_back({b, {intImm(0)}, 1, true});
    kernel.body = seq({loop, barrier(), product});
  }

  void allocate(const Buffer& b, Memory memory, std::vector<std::int64_t> extents, std::int64_t offset) {
    Allocation allocation;
    allocation.buffer = b;
    allocation.memory = memory;
    allocation.elements = extents[0] * extents[1];
    allocation.layout = layout::rowMajor({{"d0", extents[0]}, {"d1", extents[1]}});
    allocation.alignment = 128;
    allocation.offset = offset;
    kernel.allocations.push_back(allocation);
  }
  void fragment(const Buffer& b, Operand operand) {
    allocate(b, Memory::Fragment, {16, 16}, -1);
    kernel.allocations.back().elements = 1;
    kernel.allocations.back().fragment = FragmentShape{operand, findOperation("wmma.mma")->tile, true};
  }

  void expect(const std::string& breach, unsigned given = kAll) const {
    const auto result = verify(kernel, given);
    ASSERT_FALSE(result) << "not noticed: " << breach << "\n" << print(Program{"p", {}, {kernel}, {}, {}, {}});
    EXPECT_THAT(result.error().message.english(), HasSubstr(breach));
  }
};

TEST(Verify, AKernelInOrderPasses) {
  const auto fine = verify(Example().kernel, kAll);
  EXPECT_TRUE(fine) << fine.error().message.english();
}

TEST(Verify, AccessesHaveAnIndexForEachDimensionAndOneAtLast) {
  Example e;
  e.store->to.at.pop_back();
  e.expect("A_shared is accessed by 1 indices, not 2");
  Example().expect("is accessed by 2 indices, not 1", kAll | form::kFlat);
  Example versions;
  versions.kernel.allocations[0].versions = {2};
  versions.expect("A_shared is accessed by 2 indices, not 3");
}

TEST(Verify, AnIndexThatIsNeverInsideIsFound) {
  Example e;
  e.store->to.at[1] = Expr(e.loop->var) + intImm(16);
  e.expect("an index of A_shared is never within dimension 1, which has 16 elements");
}

TEST(Verify, LanesOfAValueAreThoseOfItsPlace) {
  Example e;
  e.store->to.lanes = 4;
  e.expect("1 lanes are stored to 4 of A_shared");
}

TEST(Verify, BuffersAndVariablesAreTheKernels) {
  Example e;
  e.kernel.params.clear();
  e.expect("uses the buffer A, which isn't the kernel's");
  Example variable;
  variable.kernel.body = seq({variable.loop, variable.store});
  variable.expect("uses i, which no loop around it declares");
}

TEST(Verify, OperandsAreWhatTheRowSays) {
  Example swapped;
  std::swap(swapped.product->places[1], swapped.product->places[2]);
  swapped.expect("right isn't what wmma.mma takes as a");
  Example memory;
  memory.product->places[1] = {memory.tile, {intImm(0)}, 1, true};
  memory.expect("a of wmma.mma lies in shared memory");
  Example missing;
  missing.product->places.pop_back();
  missing.expect("wmma.mma takes 4 operands and 0 values, not 3 and 0");
}

TEST(Verify, NoConditionPartsThreadsThatActTogether) {
  Example lanes;
  auto some = std::make_shared<IfNode>();
  some->condition = ir::lt(lanes.kernel.threadIdx[0], intImm(16));
  some->yes = lanes.product;
  lanes.kernel.body = some;
  lanes.expect("a condition parts the lanes of a warp");
  Example warps;
  auto one = std::make_shared<IfNode>();
  one->condition = ir::lt(warps.kernel.threadIdx[1], intImm(1));
  one->yes = barrier();
  warps.kernel.body = one;
  warps.expect("a condition parts the warps that wait for each other");
  one->yes = warps.product;  // one warp alone may multiply
  EXPECT_TRUE(verify(warps.kernel, kAll));
}

// Fences, commits and the numbers of registers are a warpgroup's, as waits and products are.
TEST(Verify, NoConditionPartsTheWarpsOfAWarpgroup) {
  constexpr SyncDoes kAllOfThem[] = {SyncDoes::Wait, SyncDoes::Commit, SyncDoes::Fence, SyncDoes::FewerRegisters,
                                     SyncDoes::MoreRegisters};
  for (const SyncDoes does : kAllOfThem) {
    Example e;
    e.kernel.block = {256, 1, 1};
    auto some = std::make_shared<IfNode>();
    some->yes = makeSync(Token::Products, does, 40);
    e.kernel.body = some;
    for (const auto& [threads, breach] :
         {std::pair{48, "a condition parts the lanes of a warp"}, {64, "a condition parts the warps of a warpgroup"}}) {
      some->condition = ir::lt(e.kernel.threadIdx[0], intImm(threads));
      e.expect(breach);
    }
    some->condition = ir::lt(e.kernel.threadIdx[0], intImm(128));
    EXPECT_TRUE(verify(e.kernel, kAll)) << "one warpgroup of two";
  }
  Example cluster;
  auto some = std::make_shared<IfNode>();
  some->condition = ir::lt(cluster.kernel.threadIdx[1], intImm(1));
  some->yes = clusterBarrier();
  cluster.kernel.body = some;
  cluster.expect("a condition parts the warps that wait for each other");
}

TEST(Verify, ThreadsMeetBeforeATileIsRead) {
  Example e;
  auto load = std::make_shared<OperationNode>();
  load->row = findOperation("wmma.load.a.row");
  load->places = {{e.left, {intImm(0)}, 1, true}, {e.tile, {intImm(0)}, 1, true}};
  load->values = {intImm(16)};
  e.kernel.body = seq({e.loop, barrier(), load});
  EXPECT_TRUE(verify(e.kernel, kAll));
  const std::string breach = "a tile of A_shared is read before the threads have met";
  e.kernel.body = seq({e.loop, load});
  e.expect(breach);
  EXPECT_TRUE(verify(e.kernel, kAll & ~form::kOrdered));
  auto some = std::make_shared<IfNode>();
  some->condition = ir::lt(e.kernel.blockIdx[0], intImm(1));
  some->yes = barrier();
  e.kernel.body = seq({e.loop, some, load});
  e.expect(breach);  // in the other blocks
  e.loop->body = seq({load, barrier(), e.store});
  e.kernel.body = e.loop;
  e.expect(breach);  // in the next iteration
  e.loop->extent = intImm(1);
  EXPECT_TRUE(verify(e.kernel, kAll));
}

TEST(Verify, SharedMemoryIsLaidOutWithoutOverlap) {
  Example e;
  e.kernel.allocations[1].offset = 1920;
  e.expect("B_shared begins at byte 1920, within another buffer");
  e.kernel.allocations[1].offset = 2056;
  e.expect("B_shared begins at byte 2056, no multiple of 128");
}

TEST(Verify, WhatPassesClaimIsLookedAt) {
  Example lanes;
  lanes.loop->use = LoopUse::Lanes;
  lanes.expect("loop i is still to become lanes");
  lanes.loop->use = LoopUse::Virtual;
  lanes.expect("loop i is still one over virtual threads");
  EXPECT_TRUE(verify(lanes.kernel, kAll & ~form::kNoVirtual));
  Example open;
  open.store->uncovered.bits = 1;
  open.expect("a statement is uncovered after guards were placed");
}

}  // namespace
}  // namespace loom::device::verify_test
