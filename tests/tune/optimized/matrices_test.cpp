// Products by warpgroups of operands that lie in memory as matrices, though the program gives them more dimensions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/tune/rules/state_reading.h"
#include "tests/tune/optimized/on_hopper.h"

namespace loom::tune::matrices_test {
namespace {

using testing::HasSubstr;

ContractionOrNot firstOf(const std::string& text) {
  const schedule::State state = programState(text);
  return contractionOf(state, state.tree().childBlocks(state.tree().root(0)).front());
}

TEST(Matrices, AreReadOfIndices) {
  const Contraction pointwise = *firstOf(tests::programText("pointwise_convolution")).contraction;
  EXPECT_FALSE(pointwise.plain);
  EXPECT_EQ(pointwise.a.pitch, 72);
  EXPECT_EQ(pointwise.resultPitch, 48);
  const Contraction scores = *firstOf(tests::programText("scores_of_heads")).contraction;
  EXPECT_EQ(scores.a.pitch, 3 * 64);  // of the next row of the same head
  EXPECT_EQ(scores.resultPitch, 96);
  const Contraction sums = *firstOf(tests::programText("sums_of_heads")).contraction;
  EXPECT_EQ(sums.b.pitch, 3 * 64);
  EXPECT_EQ(sums.resultPitch, 3 * 64);
}

// What a pixel's index adds that is always 0 changes nothing; images stand apart from the pixels of each, and all share
// the filter.
TEST(Matrices, OfEachImageAreProductsThatShareOne) {
  const schedule::State state = programState(tests::programText("pixels_of_channels_first"));
  const ir::Id block = state.tree().childBlocks(state.tree().root(0)).front();
  const Contraction whole = *contractionOf(state, block).contraction;
  EXPECT_FALSE(whole.liesAsMatrices());
  EXPECT_EQ(whole.n, 2 * 8 * 24);
  const Contraction each = *contractionByParts(state, block);
  EXPECT_TRUE(each.liesAsMatrices());
  EXPECT_EQ(each.b0, 2);
  EXPECT_EQ(each.n, 8 * 24);
  EXPECT_EQ(each.b.pitch, 8 * 24);
  EXPECT_EQ(each.resultPitch, 8 * 24);
  EXPECT_TRUE(each.a.lacksBatch);
  EXPECT_FALSE(each.b.lacksBatch);
  const schedule::State pointwise = programState(tests::programText("pointwise_convolution"));
  EXPECT_FALSE(contractionByParts(pointwise, pointwise.tree().childBlocks(pointwise.tree().root(0)).front()));
}

// A part of a row, rows in another order than those of the result, or a shifted index: none of them is a matrix.
TEST(Matrices, AreWholeAndInOrder) {
  std::string part = tests::programText("pointwise_convolution");
  part.replace(part.find("(2, 6, 10, 72)"), 14, "(2, 6, 11, 72)");
  EXPECT_EQ(firstOf(part).contraction->a.pitch, 0);
  std::string turned = tests::programText("pointwise_convolution");
  turned.replace(turned.find("(2, 6, 10, 72)"), 14, "(2, 10, 6, 72)");
  for (std::size_t at = turned.find("X[vn, vh, vw"); at != std::string::npos; at = turned.find("X[vn, vh, vw"))
    turned.replace(at, 12, "X[vn, vw, vh");
  EXPECT_EQ(firstOf(turned).contraction->a.pitch, 0);
}

void expectSpace(const char* program) {
  const OnHopper on(tests::programText(program));
  expectKernels(on, program, 23, 2, [&](const Assignment&, const std::string& lines, const MadeByLines& made) {
    EXPECT_THAT(made.kernel.source.text, HasSubstr("tma_load"));
    expectMember(on, decisionsOf(on.sketch(), on.state, made.state), lines);
  });
}

TEST(Matrices, OfEverySpaceAreKernelsAndRight) {
  expectSpace("pointwise_convolution");
  expectSpace("scores_of_heads");
  expectSpace("sums_of_heads");
  expectSpace("linear_of_a_batch");
  expectSpace("pixels_of_channels_first");
  expectSpace("turned_products_of_one_matrix");
}

}  // namespace
}  // namespace loom::tune::matrices_test
