// Which values are the same for all threads of a block, or for all lanes of each warp.
#include "core/lower/block_uniform.h"

#include <gtest/gtest.h>

#include "core/ir/build.h"

namespace loom::lower::block_uniform_test {
namespace {

using ir::Expr;
using ir::intImm;

device::Kernel kernelOf(std::int64_t x, std::int64_t y) {
  device::Kernel kernel;
  kernel.block = {x, y, 1};
  for (int axis = 0; axis < 3; ++axis) {
    kernel.threadIdx[axis] = ir::makeVar("threadIdx");
    kernel.blockIdx[axis] = ir::makeVar("blockIdx");
  }
  return kernel;
}

TEST(BlockUniform, IsAskedOfTheLanesOfAWarpToo) {
  const device::Kernel kernel = kernelOf(128, 2);
  const BlockUniform uniform(kernel);
  const Expr x = kernel.threadIdx[0], y = kernel.threadIdx[1], k = ir::makeVar("k"), n = intImm(64), m = intImm(63);
  for (const Expr& e : {ir::lt(x, n), ir::le(x, m), ir::gt(n, x), ir::ge(m, x), ir::eq(ir::floordiv(x, intImm(32)), k),
                        ir::eq(y, k), ir::andOf(ir::lt(x, intImm(96)), ir::lt(k, y))}) {
    EXPECT_FALSE(uniform.is(e));
    EXPECT_TRUE(uniform.isInWarps(e));
  }
  for (const Expr& e : {ir::lt(x, m), ir::le(x, n), ir::gt(m, x), ir::ge(n, x), ir::eq(ir::floordiv(x, intImm(16)), k),
                        ir::eq(x, k), ir::andOf(ir::lt(x, n), ir::lt(k, x))})
    EXPECT_FALSE(uniform.isInWarps(e));
  EXPECT_TRUE(uniform.isInWarps(ir::lt(k, n)));
}

TEST(BlockUniform, WarpsOfSeveralRowsAreNotAlike) {
  const device::Kernel kernel = kernelOf(16, 8);
  const BlockUniform uniform(kernel);
  EXPECT_FALSE(uniform.isInWarps(ir::eq(kernel.threadIdx[1], intImm(0))));
  EXPECT_FALSE(uniform.isInWarps(ir::lt(kernel.threadIdx[0], intImm(32))));
}

}  // namespace
}  // namespace loom::lower::block_uniform_test
