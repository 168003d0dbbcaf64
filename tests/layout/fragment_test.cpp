#include "core/layout/fragment.h"

#include <gtest/gtest.h>

#include <set>

namespace loom::layout::fragment_test {
namespace {

Point at(const Layout& l, Point p) { return l.apply(p).value(); }

// The tables of the PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type", written as there: with
// element numbers i, not registers.
TEST(MmaFragment, OperandAIsTheTableOfThePtxManual) {
  Layout a = mmaM16N8K16(Operand::A);
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, inGroup = lane % 4;
    for (int i = 0; i < 8; ++i) {
      int row = (i < 2 || (i >= 4 && i < 6)) ? group : group + 8;
      int column = i < 4 ? inGroup * 2 + (i & 1) : inGroup * 2 + (i & 1) + 8;
      EXPECT_EQ(at(a, {lane, i / 2, i % 2}), (Point{row, column})) << "lane " << lane << ", a" << i;
    }
  }
}

TEST(MmaFragment, OperandBIsTheTableOfThePtxManual) {
  Layout b = mmaM16N8K16(Operand::B);
  for (int lane = 0; lane < 32; ++lane) {
    int group = lane >> 2, inGroup = lane % 4;
    for (int i = 0; i < 4; ++i) {
      int row = i < 2 ? inGroup * 2 + (i & 1) : inGroup * 2 + (i & 1) + 8;
      EXPECT_EQ(at(b, {lane, i / 2, i % 2}), (Point{row, group})) << "lane " << lane << ", b" << i;
    }
  }
}

TEST(MmaFragment, AccumulatorsAreTheTableOfThePtxManual) {
  Layout c = mmaM16N8K16(Operand::Accumulator), h = mmaM16N8K16(Operand::Accumulator, true);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < 4; ++i) {
      Point expected{i < 2 ? lane >> 2 : (lane >> 2) + 8, (lane % 4) * 2 + (i & 1)};
      EXPECT_EQ(at(c, {lane, i}), expected);
      EXPECT_EQ(at(h, {lane, i / 2, i % 2}), expected);
    }
  }
}

// "Matrix Fragments for mma.m16n8k8" of .tf32 and "… for mma.m16n8k32" of integers: the tables.
TEST(MmaFragment, OtherWidthsAreTheTablesOfThePtxManual) {
  const Layout a = mmaFragment(Operand::A, 8, 32), b = mmaFragment(Operand::B, 8, 32);
  const Layout bytes = mmaFragment(Operand::A, 32, 8), factors = mmaFragment(Operand::B, 32, 8);
  ASSERT_EQ(a.inputs().size(), 2U) << "a register is one element";
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, inGroup = lane % 4;
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(at(a, {lane, i}), (Point{i == 0 || i == 2 ? group : group + 8, i < 2 ? inGroup : inGroup + 4}));
    for (int i = 0; i < 2; ++i) EXPECT_EQ(at(b, {lane, i}), (Point{i == 0 ? inGroup : inGroup + 4, group}));
    for (int i = 0; i < 16; ++i) {
      const int row = i < 4 || (i >= 8 && i < 12) ? group : group + 8;
      EXPECT_EQ(at(bytes, {lane, i / 4, i % 4}), (Point{row, inGroup * 4 + (i & 3) + (i < 8 ? 0 : 16)}));
    }
    for (int i = 0; i < 8; ++i)
      EXPECT_EQ(at(factors, {lane, i / 4, i % 4}), (Point{inGroup * 4 + (i & 3) + (i < 4 ? 0 : 16), group}));
  }
}

// "Matrix Fragments for mma.m8n8k16" of integers.
TEST(MmaFragment, EightRowsAreTheTablesOfThePtxManual) {
  const Layout a = mmaFragment(Operand::A, 16, 8, 8), b = mmaFragment(Operand::B, 16, 8, 8),
               c = mmaFragment(Operand::Accumulator, 16, 32, 8);
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, inGroup = lane % 4;
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(at(a, {lane, 0, i}), (Point{group, inGroup * 4 + i}));
      EXPECT_EQ(at(b, {lane, 0, i}), (Point{inGroup * 4 + i, group}));
    }
    for (int i = 0; i < 2; ++i) EXPECT_EQ(at(c, {lane, i}), (Point{group, inGroup * 2 + i}));
  }
}

TEST(MmaFragment, EachElementHasOneOwnerWhomTheInverseFinds) {
  for (Layout l : {mmaFragment(Operand::A, 8, 32), mmaFragment(Operand::B, 8, 32), mmaFragment(Operand::B, 4, 32),
                   mmaFragment(Operand::A, 32, 8), mmaFragment(Operand::A, 16, 8, 8), mmaM16N8K16(Operand::A),
                   mmaM16N8K16(Operand::B), mmaM16N8K16(Operand::Accumulator), mmaM16N8K16(Operand::Accumulator, true),
                   wmmaFragmentSeen(Operand::A), wmmaFragmentSeen(Operand::B), wmmaFragmentSeen(Operand::Accumulator),
                   wmmaFragmentSeen(Operand::Accumulator, true)}) {
    auto back = l.inverse();
    ASSERT_TRUE(back) << l.text() << ": " << back.error().message.english();
    std::set<Point> elements;
    for (std::int64_t i = 0; i < l.size(); ++i) {
      Point p = pointAt(l.inputs(), i), e = at(l, p);
      elements.insert(e);
      EXPECT_EQ(at(*back, e), p) << l.text();
    }
    EXPECT_EQ(std::int64_t(elements.size()), l.size());
  }
}

TEST(Ldmatrix, LanesGiveTheRowsOfTheirMatrix) {
  for (int count : {1, 2, 4}) {
    Layout l = ldmatrixAddress(count).value();
    for (int lane = 0; lane < 8 * count; ++lane) EXPECT_EQ(at(l, {lane}), (Point{lane / 8, lane % 8}));
    EXPECT_FALSE(l.apply({8 * count})) << "lanes beyond give no address";
  }
}

TEST(Ldmatrix, LanesReceiveTwoNeighboursOfARowOrTransposedOfAColumn) {
  for (int count : {1, 2, 4}) {
    Layout plain = ldmatrixResult(count, false).value(), transposed = ldmatrixResult(count, true).value();
    for (int lane = 0; lane < 32; ++lane) {
      for (int r = 0; r < count; ++r) {
        for (int half = 0; half < 2; ++half) {
          EXPECT_EQ(at(plain, {lane, r, half}), (Point{r, lane / 4, 2 * (lane % 4) + half}));
          EXPECT_EQ(at(transposed, {lane, r, half}), (Point{r, 2 * (lane % 4) + half, lane / 4}));
        }
      }
    }
  }
}

// ldmatrix.x4 of the 16×16 tile, matrices ordered down the rows first, is exactly operand A of mma.m16n8k16.
TEST(Ldmatrix, FourMatricesMakeOperandA) {
  Layout tile =
      Layout({{"matrix", 4}, {"row", 8}, {"column", 8}})
          .then(DigitStage{
              {{1, 1, 8, 0, 1}, {0, 1, 2, 0, 8}, {2, 1, 8, 1, 1}, {0, 2, 2, 1, 8}}, {}, {{"row", 16}, {"column", 16}}})
          .value();
  Layout loaded = ldmatrixResult(4, false)->then(tile).value();
  Layout a = mmaM16N8K16(Operand::A);
  for (std::int64_t i = 0; i < a.size(); ++i) {
    Point p = pointAt(a.inputs(), i);
    EXPECT_EQ(at(loaded, p), at(a, p));
  }
}

TEST(Ldmatrix, OtherCountsAreRefused) {
  for (int count : {0, 3, 8, -1}) {
    EXPECT_EQ(ldmatrixAddress(count).error().code, "LayoutError");
    EXPECT_EQ(ldmatrixResult(count, true).error().code, "LayoutError");
  }
}

TEST(WmmaFragment, IsUndefinedAsPtxLeavesIt) {
  Layout l = wmmaFragment(16, 16);
  EXPECT_FALSE(l.isDefined());
  EXPECT_EQ(l.apply({0, 0}).error().code, "LayoutUndefined");
  EXPECT_EQ(l.inverse().error().code, "NotInvertible");
  EXPECT_NE(l.json().find("undefined"), std::string::npos);
  EXPECT_FALSE(mmaM16N8K16(Operand::Accumulator).then(l)) << "32×4 registers don't go into a fragment";
}

}  // namespace
}  // namespace loom::layout::fragment_test
