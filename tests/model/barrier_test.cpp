// How often a block executes a barrier, and when that isn't certain.
#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/model/access.h"
#include "tests/model/programs.h"

namespace loom::model::barrier_test {
namespace {

std::vector<BarrierInfo> barriersOf(const device::Kernel& kernel) { return accessesOf(kernel).barriers; }

TEST(Barrier, IsExecutedOnceForEachIterationOfTheLoopsAround) {
  const auto program =
      lowered(tests::programText("product", {{"M", 32}, {"N", 32}, {"K", 16}}),
              "b = sch.get_block(\"C\")\ni, j, k = sch.get_loops(b)\n" + tests::scheduleText("shared_tile_of_k"));
  const auto barriers = barriersOf(program.kernels[0]);
  ASSERT_EQ(barriers.size(), 2U);
  for (const BarrierInfo& b : barriers) {
    EXPECT_EQ(b.perBlock, 4) << "k has 16 iterations, in tiles of 4";
    EXPECT_FALSE(b.conditional());
    EXPECT_EQ(b.statement->kind, device::StmtKind::Sync);
    EXPECT_FALSE(b.statement->orders.empty());
  }
}

// for i in `extent`: if i < 3: barrier
device::Kernel guarded(const ir::Expr& extent) {
  auto loop = std::make_shared<device::LoopNode>();
  loop->var = ir::makeVar("i");
  loop->extent = extent;
  auto branch = std::make_shared<device::IfNode>();
  branch->condition = ir::lt(loop->var, ir::intImm(3));
  branch->yes = device::barrier();
  loop->body = branch;
  device::Kernel kernel;
  kernel.body = loop;
  return kernel;
}

TEST(Barrier, UnderAConditionIsExecutedAtMostSoOften) {
  const device::Kernel kernel = guarded(ir::intImm(8));
  const auto barriers = barriersOf(kernel);
  ASSERT_EQ(barriers.size(), 1U);
  EXPECT_EQ(barriers[0].perBlock, 8);
  EXPECT_TRUE(barriers[0].conditional());
  EXPECT_FALSE(barriers[0].varies);
}

TEST(Barrier, InALoopWithoutAConstantExtentVaries) {
  const device::Kernel kernel = guarded(ir::makeVar("n"));
  const auto barriers = barriersOf(kernel);
  ASSERT_EQ(barriers.size(), 1U);
  EXPECT_EQ(barriers[0].perBlock, 1);
  EXPECT_TRUE(barriers[0].varies && barriers[0].conditional());
}

}  // namespace
}  // namespace loom::model::barrier_test
