// Sums, maxima and minima of what is no product of two elements, whose operands are used again: tiles on CUDA cores.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::combined_operands_test {
namespace {

ContractionOrNot firstOf(const std::string& text) {
  const schedule::State state = programState(text);
  return contractionOf(state, state.tree().childBlocks(state.tree().root(0)).front());
}

TEST(CombinedOperands, AreReadOfIndices) {
  const Contraction distances = *firstOf(tests::programText("distances")).contraction;
  EXPECT_FALSE(distances.multiplies);
  EXPECT_TRUE(distances.plain && distances.hasParts && distances.takesZeros);
  EXPECT_EQ(distances.a.buffer, "A");
  EXPECT_EQ(distances.b.read, 1);
  EXPECT_EQ(distances.instructions, 2);  // a difference, which is squared and added by one
  // Zeros that pad k would be less than every sum.
  const Contraction least = *firstOf(tests::programText("least_of_sums")).contraction;
  EXPECT_TRUE(least.hasParts);
  EXPECT_FALSE(least.takesZeros);
  EXPECT_EQ(least.instructions, 2);
  EXPECT_FALSE(least.b.reductionIsLast);
  // A number that is no identity can't begin each part.
  EXPECT_FALSE(firstOf(tests::programText("greatest_from_a_low_bound")).contraction->hasParts);
  const Contraction weighted = *firstOf(tests::programText("weighted_product")).contraction;
  ASSERT_EQ(weighted.further.size(), 1U);
  EXPECT_EQ(weighted.further[0].buffer, "w");
  EXPECT_TRUE(weighted.further[0].ofSums && !weighted.further[0].ofRows && !weighted.further[0].ofColumns);
  const Contraction product = *firstOf(tests::programText("product", {{"M", 37}, {"N", 29}, {"K", 13}})).contraction;
  EXPECT_TRUE(product.multiplies);
  EXPECT_EQ(product.instructions, 1);
  const Contraction filtered = *firstOf(tests::programText("channels_first_convolution")).contraction;
  EXPECT_EQ(filtered.instructions, 1) << "where an element lies is no work on it";
}

// What is read once for each result, at two places, or where another buffer says, has no tiles.
TEST(CombinedOperands, AreUsedAgain) {
  EXPECT_FALSE(firstOf(tests::programText("column_sums")).contraction);
  std::string own = tests::programText("distances");
  for (std::size_t at = own.find("B[vj"); at != std::string::npos; at = own.find("B[vj")) own.replace(at, 4, "A[vj");
  own.replace(own.find("(72, 44)"), 8, "(90, 44)");
  EXPECT_FALSE(firstOf(own).contraction);
}

void expectSpace(const char* program, const char* sketch) {
  const OnHopper on(tests::programText(program), sketch);
  expectKernels(on, std::string(program) + ", " + sketch, 29, 2,
                [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
                  expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
                });
}

TEST(CombinedOperands, OfEverySpaceAreKernelsAndRight) {
  for (const char* sketch : {"CUDA cores", "CUDA cores, warps"})
    for (const char* program : {"distances", "least_of_sums", "greatest_from_a_low_bound", "weighted_product",
                                "sampled_product", "sums_of_differences"})
      expectSpace(program, sketch);
  for (const char* program :
       {"distances", "least_of_sums", "weighted_product", "sampled_product", "sums_of_differences"})
    expectSpace(program, "CUDA cores, k in slices");
}

TEST(CombinedOperands, AreConstructedInTiles) {
  for (const char* program : {"distances", "least_of_sums", "greatest_from_a_low_bound", "weighted_product",
                              "sampled_product", "sums_of_differences"}) {
    const OnHopper on(tests::programText(program));
    const auto built = buildAll(on.plan, on.state, deviceNamed("h200"), document::environment()).value();
    EXPECT_TRUE(on.plan.sketches[std::size_t(built.front().construction.sketch)].name.starts_with("CUDA cores"));
    expectRight(on.state, built.front().state, built.front().lines);
  }
}

}  // namespace
}  // namespace loom::tune::combined_operands_test
