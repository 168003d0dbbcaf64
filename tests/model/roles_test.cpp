#include "core/model/roles.h"

#include <gmock/gmock.h>

#include "core/device/build.h"
#include "core/ir/build.h"
#include "core/model/waits.h"
#include "tests/model/programs.h"

namespace loom::model::roles_test {
namespace {

using testing::ElementsAre;

TEST(Roles, AKernelWithoutPartsHasOne) {
  const device::Program program = tensorCore();
  const auto roles = rolesOf(program.kernels.front());
  ASSERT_EQ(roles.size(), 1U);
  EXPECT_EQ(std::int64_t(roles.front().warps.size()) * 32, program.kernels.front().threads());
  EXPECT_TRUE(roles.front().multiplies);
  EXPECT_FALSE(roles.front().idle());
  EXPECT_EQ(roles.front().registers, 0);
}

TEST(Roles, WarpsThatMultiplyLoadOrDoNothing) {
  const auto [function, lines] = warpgroupProduct(true, 2);
  const device::Program program = lowered(function, lines);
  const auto roles = rolesOf(program.kernels.front());
  ASSERT_EQ(roles.size(), 3U);
  EXPECT_THAT(roles[0].warps, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_TRUE(roles[0].multiplies);
  EXPECT_FALSE(roles[0].copies);
  EXPECT_EQ(roles[0].registers, 232);
  EXPECT_THAT(roles[1].warps, ElementsAre(8));
  EXPECT_TRUE(roles[1].copies);
  EXPECT_FALSE(roles[1].multiplies);
  EXPECT_EQ(roles[1].registers, 40);
  EXPECT_THAT(roles[2].warps, ElementsAre(9, 10, 11));
  EXPECT_TRUE(roles[2].idle());
  EXPECT_EQ(roles[2].registers, 40);
}

// What a condition reads may differ from one iteration or block to the next.
TEST(Roles, ConditionsThatReadMemoryAreNotOfThreadsAlone) {
  const auto [function, lines] = warpgroupProduct(true, 2);
  device::Kernel kernel = lowered(function, lines).kernels.front();
  const ir::Buffer flag = ir::makeBuffer(ir::Id{9, 1}, "flag", ir::DType::Int(32), {ir::intImm(64)}, "global");
  kernel.params.push_back(flag);
  const ir::Expr x = kernel.threadIdx[0];
  EXPECT_TRUE(isOfThreads(kernel, ir::lt(x, ir::intImm(16))));
  for (const ir::Expr& index : {ir::Expr(ir::intImm(0)), x}) {
    auto some = std::make_shared<device::IfNode>();
    some->condition = ir::lt(ir::load(flag, {index}), ir::intImm(1));
    EXPECT_FALSE(isOfThreads(kernel, some->condition));
    EXPECT_FALSE(isOfThreads(kernel, ir::andOf(ir::lt(x, ir::intImm(16)), some->condition)));
    some->yes = device::barrier();
    device::Kernel asked = kernel;
    asked.body = some;
    const auto waits = waitsOf(asked);
    ASSERT_EQ(waits.size(), 1U);
    EXPECT_TRUE(waits.front().atMost);
  }
}

TEST(Roles, OneThreadThatStandsForAllIsNoRole) {
  const auto [function, lines] = warpgroupProduct(false, 2);
  const device::Program program = lowered(function, lines);
  const auto roles = rolesOf(program.kernels.front());
  ASSERT_EQ(roles.size(), 1U);
  EXPECT_TRUE(roles.front().multiplies && roles.front().copies);
}

}  // namespace
}  // namespace loom::model::roles_test
