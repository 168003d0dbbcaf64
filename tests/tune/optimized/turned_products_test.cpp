// Products by warpgroups whose first factor lies by columns, [k, m].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::turned_products_test {
namespace {

using testing::HasSubstr;

std::string turned(int m, int n, int k, const std::string& type) {
  return tests::programText("warpgroups_turned", {{"M", m}, {"N", n}, {"K", k}, {"TYPE", type}});
}

TEST(TurnedProducts, OfEverySpaceAreKernelsAndRight) {
  for (const std::string& text : {turned(256, 192, 128, "float16"), turned(328, 136, 120, "bfloat16"),
                                  turned(1800, 1800, 64, "float16"), tests::programText("warpgroups_turned_relu")}) {
    const OnHopper on(text);
    expectKernels(on, "turned", 11, 2, [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
      EXPECT_THAT(lines, HasSubstr("_turned\")"));
      expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
    });
  }
}

TEST(TurnedProducts, AreBuiltFirstAndInOneKernel) {
  const OnHopper on(turned(1024, 768, 512, "float16"));
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment());
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->front().construction.sketch, on.index());
  EXPECT_THAT(built->front().kernel.source.text, HasSubstr("_turned<1>("));
  EXPECT_EQ(built->front().kernel.program->kernels.size(), 1U);
}

// Elements of other widths are taken by rows alone.
TEST(TurnedProducts, OfOtherWidthsAreRefusedWithTheOrder) {
  const auto plan = sketchOf(programState(turned(256, 192, 128, "float8_e4m3fn")), deviceNamed("h200"), ruleLibrary());
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_THAT(whyNotByWarpgroups(*plan).english(), HasSubstr("lies as [k, m]: without 16-bit elements"));
}

}  // namespace
}  // namespace loom::tune::turned_products_test
