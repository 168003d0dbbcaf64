#include "core/device/declared.h"

#include <gtest/gtest.h>

#include "core/device/build.h"
#include "core/ir/build.h"

namespace loom::device::declared_test {
namespace {

// A kernel of one statement, A[index] = 0, in a loop over `loop`.
Kernel kernelOf(const ir::Var& loop, const ir::Expr& index, bool parameter = true) {
  Kernel k;
  for (int axis = 0; axis < 3; ++axis) {
    k.threadIdx[axis] = ir::makeVar("t");
    k.blockIdx[axis] = ir::makeVar("b");
  }
  ir::IdSource ids{1};
  const ir::Buffer a = ir::makeBuffer(ids.next(), "A", ir::DType::Float(32), {ir::intImm(8)});
  if (parameter) k.params = {a};
  auto store = std::make_shared<StoreNode>();
  store->to = {a, {index}};
  store->value = ir::floatImm(0, ir::DType::Float(32));
  auto block = std::make_shared<BlockNode>();
  block->block = ids.next();
  block->name = "S";
  block->body = store;
  auto node = std::make_shared<LoopNode>();
  node->var = loop;
  node->extent = ir::intImm(4);
  node->body = block;
  k.body = seq({node, store});
  return k;
}

TEST(Declared, EveryVariableAndBufferOfAKernelIs) {
  const ir::Var i = ir::makeVar("i"), j = ir::makeVar("j");
  const auto behind = checkDeclared(kernelOf(i, i));
  ASSERT_FALSE(behind) << "the second store stands behind the loop";
  EXPECT_EQ(behind.error().message.english(), "the program uses i, which no loop around it declares");
  EXPECT_TRUE(checkDeclared(kernelOf(i, ir::intImm(0))));
  const auto other = checkDeclared(kernelOf(i, ir::Expr(i) + j));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message.english(), "block S uses j, which no loop around it declares");
  const auto buffer = checkDeclared(kernelOf(i, ir::intImm(0), false));
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().message.english(), "block S uses the buffer A, which isn't the kernel's");
}

}  // namespace
}  // namespace loom::device::declared_test
