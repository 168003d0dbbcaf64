// Products by warpgroups whose first factor lies by columns, [k, m].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "core/tune/space/membership.h"
#include "core/tune/space/pinned_counts.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::turned_products_test {
namespace {

using testing::HasSubstr;

std::string turned(int m, int n, int k, const std::string& type) {
  return tests::programText("warpgroups_turned", {{"M", m}, {"N", n}, {"K", k}, {"TYPE", type}});
}

TEST(TurnedProducts, OfEverySpaceAreKernelsAndRight) {
  const std::optional<int> given = drawsAsked();
  for (const std::string& text : {turned(256, 192, 128, "float16"), turned(328, 136, 120, "bfloat16"),
                                  turned(1800, 1800, 64, "float16"), tests::programText("warpgroups_turned_relu")}) {
    const OnHopper on(text);
    ASSERT_GE(on.index(), 0) << text;
    const auto diagram = Diagram::of(on.sketch().space);
    ASSERT_TRUE(diagram) << diagram.error().message;
    ASSERT_GT(diagram->count(), 40U);
    const PinnedCounts counts(*diagram);
    Random random(11);
    int failed = 0;
    const int draws = given.value_or(4);
    for (int n = 0; n < draws; ++n) {
      const std::string lines = linesOf(on.sketch(), *counts.draw(random)).value();
      EXPECT_THAT(lines, HasSubstr("_turned\")"));
      const auto made = madeByLines(on.state, lines, document::environment());
      std::string problem = made ? "" : made.error().message.english();
      if (made && n % 4 == 0) problem = compiled(made->kernel);
      if (!problem.empty() && ++failed == 1) ADD_FAILURE() << problem << "\n" << lines;
      if (made && n < 2) expectRight(on.state, made->state, lines);
      if (made) {
        const auto read = decisionsOf(on.sketch(), on.state, made->state);
        EXPECT_TRUE(membershipOf(on.sketch().space, read).isMember.value_or(false)) << lines;
      }
    }
    if (given) std::printf("%d of %d failed\n", failed, draws);
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
