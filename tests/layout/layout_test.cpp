#include "core/layout/layout.h"

#include <gtest/gtest.h>

namespace loom::layout::layout_test {
namespace {

TEST(Layout, ThreadToCoordinateToByteIsOneChain) {
  // 32 lanes hold 8 halves each of a 4×64 tile, stored with 72 halves a row.
  Layout threads =
      Layout({{"lane", 32}, {"register", 8}})
          .then(DigitStage{{{0, 8, 4, 0, 1}, {0, 1, 8, 1, 8}, {1, 1, 8, 1, 1}}, {}, {{"row", 4}, {"column", 64}}})
          .value();
  auto memory = padded(4, 64, 72);
  auto chain = threads.then(*memory)->then(*inBytes(4 * 72, 2));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->apply({9, 3}).value(), Point{(1 * 72 + 8 + 3) * 2});
  EXPECT_EQ(chain->apply({31, 7}).value(), Point{(3 * 72 + 63) * 2});
}

TEST(Layout, InverseUndoesAChainWithAnXor) {
  // CUTLASS's Swizzle<3, 3, 3> on a 8×64 tile.
  auto l = rowMajor({{"row", 8}, {"column", 64}}).then(XorStage{3, 3, 3});
  ASSERT_TRUE(l);
  EXPECT_EQ(l->apply({1, 0}).value(), Point{64 + 8}) << "row 1 has its groups of eight exchanged in pairs";
  EXPECT_EQ(l->apply({7, 63}).value(), Point{7 * 64 + (7 ^ 7) * 8 + 7});
  auto back = l->inverse();
  ASSERT_TRUE(back) << back.error().message.english();
  for (std::int64_t i = 0; i < l->size(); ++i) {
    Point p = pointAt(l->inputs(), i);
    EXPECT_EQ(back->apply(*l->apply(p)).value(), p);
  }
}

TEST(Layout, PaddingHasNoInverseButPreimages) {
  auto l = padded(4, 6, 8);
  auto back = l->inverse();
  ASSERT_FALSE(back);
  EXPECT_EQ(back.error().code, "NotInvertible");
  EXPECT_EQ(l->preimages({10}).value(), (std::vector<Point>{{1, 2}}));
  EXPECT_TRUE(l->preimages({6})->empty()) << "the hole after row 0";
}

TEST(Layout, BroadcastHasNoInverseAndManyPreimages) {
  Layout l = Layout({{"lane", 32}}).then(DigitStage{{{0, 4, 8, 0, 1}}, {}, {{"row", 8}}}).value();
  EXPECT_EQ(l.inverse().error().code, "NotInvertible");
  EXPECT_EQ(l.preimages({2})->size(), 4u);
}

TEST(Layout, AnOffsetIsAddedAndHasNoInverse) {
  Layout l = Layout({{"i", 4}}).then(DigitStage{{{0, 1, 4, 0, 1}}, {2}, {{"o", 6}}}).value();
  EXPECT_EQ(l.apply({3}).value(), Point{5});
  EXPECT_FALSE(l.inverse());
  EXPECT_NE(l.json().find("{\"digits\":[[0,1,4,0,1]],\"base\":[2]}"), std::string::npos) << l.json();
}

TEST(Layout, TextAndJsonSayWhatItDoes) {
  Layout l = rowMajor({{"row", 8}, {"column", 64}}).then(XorStage{3, 3, 3}).value();
  EXPECT_EQ(l.text(),
            "(row:8, column:64) → (element:512): element = row · 64 + column; then bits 3…5 of element xor bits 6…8");
  EXPECT_EQ(l.json(),
            "{\"inputs\":[[\"row\",8],[\"column\",64]],\"outputs\":[[\"element\",512]],"
            "\"stages\":[{\"digits\":[[0,1,8,0,64],[1,1,64,0,1]]},{\"xor\":[3,3,3]}]}");
}

TEST(LayoutRefuses, CoordinatesOutsideItsExtents) {
  Layout l = rowMajor({{"row", 8}, {"column", 64}});
  for (Point p : {Point{8, 0}, Point{0, 64}, Point{-1, 0}, Point{0}, Point{}, Point{0, 0, 0}})
    EXPECT_EQ(l.apply(p).error().code, "LayoutError");
}

TEST(LayoutRefuses, ChainsWhoseExtentsDoNotMeet) {
  Layout a = rowMajor({{"row", 8}, {"column", 64}}), b = rowMajor({{"row", 8}, {"column", 32}});
  EXPECT_EQ(a.then(b).error().code, "LayoutError");
  EXPECT_EQ(a.then(*inBytes(256, 2)).error().code, "LayoutError");
}

TEST(LayoutRefuses, StagesThatMakeNoSense) {
  Layout l = rowMajor({{"row", 8}, {"column", 64}});
  EXPECT_FALSE(l.then(DigitStage{{{1, 1, 8, 0, 1}}, {}, {{"x", 8}}})) << "one dimension comes in, not two";
  EXPECT_FALSE(l.then(DigitStage{{{0, 0, 8, 0, 1}}, {}, {{"x", 8}}})) << "a divisor of zero";
  EXPECT_FALSE(l.then(DigitStage{{{0, 1, 8, 1, 1}}, {}, {{"x", 8}}})) << "an output that isn't there";
  EXPECT_FALSE(l.then(XorStage{3, 3, 2})) << "the bits read are among those written";
  EXPECT_FALSE(l.then(XorStage{3, 7, 3})) << "bits 7…9 leave 512";
  EXPECT_FALSE(Layout({{"a", 8}, {"b", 8}}).then(XorStage{1, 0, 1})) << "two dimensions have no address bits";
  EXPECT_FALSE(padded(4, 8, 7)) << "rows overlap";
  EXPECT_FALSE(strided({{"i", 4}}, {4}, 12)) << "12 … lies outside";
  EXPECT_FALSE(strided({{"i", 4}}, {}, 4));
  EXPECT_FALSE(inBytes(4, 0));
}

}  // namespace
}  // namespace loom::layout::layout_test
