#include "core/model/element_threads.h"

#include <gmock/gmock.h>

#include "core/ir/build.h"
#include "tests/model/programs.h"
#include "tests/schedules/schedule_text.h"

namespace loom::model::element_threads_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

TEST(ElementThreads, AnElementOfAnOperandIsReadByAThreadOfEachBlockOfItsRow) {
  const device::Program program = tensorCore();
  const KernelAccesses k = accessesOf(program.kernels.front());
  const auto who = threadsOfElement(k, *find(k, "X", false), 281 * 1024 + 9, {});
  ASSERT_TRUE(who) << who.error().message.english();
  EXPECT_TRUE(who->complete);
  EXPECT_EQ(who->blocks, 8);
  // Rows 256 to 383 are tile row 2: blocks 16 to 23. In each, warp 6 copies rows 24 to 27, its lanes 8 to 15 row 25.
  ASSERT_THAT(who->all, SizeIs(8));
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(who->all[i], (AccessingThread{std::int64_t(16 + i), 6 * 32 + 9}));
}

TEST(ElementThreads, SharedMemoryIsItsBlocksAndATileItsWarps) {
  const device::Program program = tensorCore();
  const KernelAccesses k = accessesOf(program.kernels.front());
  const auto who = threadsOfElement(k, *find(k, "X_shared", false), 40 * 64, {5, 0});
  ASSERT_TRUE(who) << who.error().message.english();
  // Rows 32 to 63 are the second row of warps, four of them.
  EXPECT_THAT(who->all, ElementsAre(AccessingThread{5, 128}, AccessingThread{5, 160}, AccessingThread{5, 192},
                                    AccessingThread{5, 224}));
  const auto sum = threadsOfElement(k, *find(k, "Z_wmma.accumulator", true), 3, {5, 7 * 32 + 11});
  ASSERT_TRUE(sum) << sum.error().message.english();
  EXPECT_THAT(sum->all, ElementsAre(AccessingThread{5, 224})) << "fragments are a warp's own";
}

// C[i, j] += A[i, k] · B[k, j], j along blockIdx.x, i along blockIdx.y and threadIdx.x.
TEST(ElementThreads, AxesThatTheIndexDoesNotHaveAreNamedToo) {
  const device::Program program = lowered(tests::programText("outer_product"), tests::scheduleText("grid_of_two_axes"));
  const KernelAccesses k = accessesOf(program.kernels.front());
  const auto row = threadsOfElement(k, *find(k, "A", false), 18 * 8, {});
  ASSERT_TRUE(row) << row.error().message.english();
  EXPECT_THAT(row->all,
              ElementsAre(AccessingThread{4, 2}, AccessingThread{5, 2}, AccessingThread{6, 2}, AccessingThread{7, 2}));
  const auto column = threadsOfElement(k, *find(k, "B", false), 3, {});
  ASSERT_TRUE(column) << column.error().message.english();
  EXPECT_EQ(column->blocks, 4);
  EXPECT_THAT(column->all, SizeIs(64)) << "16 threads of blocks 3, 7, 11 and 15";
  EXPECT_EQ(column->all[16], (AccessingThread{7, 0}));
  const auto few = threadsOfElement(k, *find(k, "B", false), 3, {}, 10);
  EXPECT_FALSE(few->complete);
  EXPECT_THAT(few->all, SizeIs(10));
}

TEST(ElementThreads, GuardsRuleThreadsOutWhoseAxisTheIndexDoesNotHave) {
  const device::Program program = lowered(tests::programText("first_element_everywhere"),
                                          tests::scheduleText("blocks_of_threads", {{"THREADS", 32}}));
  const KernelAccesses k = accessesOf(program.kernels.front());
  const auto who = threadsOfElement(k, *find(k, "A", false), 0, {});
  ASSERT_TRUE(who) << who.error().message.english();
  EXPECT_THAT(who->all, SizeIs(100)) << "the last block has four threads at work";
  EXPECT_EQ(who->all.back(), (AccessingThread{3, 3}));
}

// Each thread of the block has two registers of its own, and accesses one of them.
TEST(ElementThreads, RegistersAreTheThreadsOwnWhateverTheirIndex) {
  device::Program program = copy(1, 1, "float32");
  device::Kernel& kernel = program.kernels.front();
  device::Allocation own;
  own.buffer = ir::makeBuffer(ir::Id{9, 1}, "own", ir::DType::Float(32), {ir::intImm(2)}, "local");
  own.memory = device::Memory::Local;
  own.elements = 2;
  kernel.allocations.push_back(own);
  auto store = std::make_shared<device::StoreNode>();
  store->to = {own.buffer, {ir::floormod(kernel.threadIdx[0], ir::intImm(2))}, 1, true};
  store->value = ir::zero(ir::DType::Float(32));
  kernel.body = store;
  const KernelAccesses k = accessesOf(kernel);
  const auto who = [&](std::int64_t thread) { return threadsOfElement(k, *find(k, "own", true), 1, {2, thread})->all; };
  EXPECT_THAT(who(5), ElementsAre(AccessingThread{2, 5}));
  EXPECT_THAT(who(6), SizeIs(0)) << "its element is the other one";
}

}  // namespace
}  // namespace loom::model::element_threads_test
