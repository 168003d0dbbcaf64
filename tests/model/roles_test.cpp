#include "core/model/roles.h"

#include <gmock/gmock.h>

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

TEST(Roles, OneThreadThatStandsForAllIsNoRole) {
  const auto [function, lines] = warpgroupProduct(false, 2);
  const device::Program program = lowered(function, lines);
  const auto roles = rolesOf(program.kernels.front());
  ASSERT_EQ(roles.size(), 1U);
  EXPECT_TRUE(roles.front().multiplies && roles.front().copies);
}

}  // namespace
}  // namespace loom::model::roles_test
