// Sums with few results: blocks of their own sum up parts, a second kernel adds these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::sum_parts_test {
namespace {

constexpr const char* kPrograms[] = {"sum_of_all", "sums_of_few_columns", "greatest_of_few_rows"};

TEST(SumParts, OfEverySpaceAreKernelsAndRight) {
  for (const char* program : kPrograms) {
    const OnHopper on(tests::programText(program), "threads");
    const int parts = decisionNamed(on.sketch().space, "sum.parts");
    ASSERT_GE(parts, 0) << program;
    bool any = false;
    expectKernels(on, program, 31, 4, [&](const Assignment& drawn, const std::string& lines, const MadeByLines& made) {
      any |= drawn[std::size_t(parts)] > 1;
      EXPECT_EQ(made.kernel.program->kernels.size(), drawn[std::size_t(parts)] > 1 ? 2U : 1U) << lines;
      const auto read = decisionsOf(on.sketch(), on.state, made.state);
      expectMember(on, read, lines);
      EXPECT_EQ(read.at("sum.parts"), drawn[std::size_t(parts)]) << lines;
    });
    EXPECT_TRUE(any) << program;
  }
}

// What a padded product stores is guarded, which would hide from its readers' copies that all they read is written.
TEST(SumParts, OfPaddedProductsWithReadersAreKernelsAndRight) {
  const OnHopper on(tests::programText("relu_of_a_product", {{"M", 100}, {"N", 100}, {"K", 4000}}),
                    "mma.sync, k in 8 parts");
  expectKernels(on, "padded product in parts, then relu", 13, 1,
                [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
                  EXPECT_EQ(made.kernel.program->kernels.size(), 3U) << lines;
                });
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
  EXPECT_EQ(built.size(), on.plan.sketches.size());
}

// One block would leave all multiprocessors but one idle.
TEST(SumParts, AreConstructedForAllMultiprocessors) {
  std::string text = tests::programText("sum_of_all");
  for (const auto& [from, to] : {std::pair("(60, 100)", "(4096, 1000)"), std::pair("(1, 60, 100)", "(1, 4096, 1000)")})
    text.replace(text.find(from), std::string_view(from).size(), to);
  const OnHopper on(text, "threads");
  const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
  ASSERT_EQ(built.front().kernel.program->kernels.size(), 2U);
  EXPECT_GE(built.front().kernel.program->kernels.front().blocks(), 132);
}

}  // namespace
}  // namespace loom::tune::sum_parts_test
