// Interval sets and region estimates, fact by fact.
#include <gtest/gtest.h>

#include <stdexcept>

#include "core/arith/region.h"
#include "tests/arith/notation.h"

namespace loom::arith {
namespace {

using namespace ir;
using notation::show;

std::string text(const IntSet& set) {
  if (set.isNothing()) return "nothing";
  return (set.min() ? show(set.min()) : "-inf") + " .. " + (set.max() ? show(set.max()) : "inf");
}

class IntSetTest : public ::testing::Test {
 protected:
  static IntSet span(std::int64_t min, std::int64_t max) { return IntSet::interval(intImm(min), intImm(max)); }
  Var x = makeVar("x"), y = makeVar("y"), n = makeVar("n");
};

TEST_F(IntSetTest, RangeOfExtentOneIsAPoint) {
  EXPECT_TRUE(IntSet::fromMinExtent(x, intImm(1)).isPoint());
  EXPECT_EQ(text(IntSet::fromMinExtent(intImm(2), intImm(8))), "2 .. 9");
}

TEST_F(IntSetTest, NothingAndEverythingAreNotBounded) {
  for (auto& set : {IntSet::nothing(), IntSet::everything()}) {
    EXPECT_FALSE(set.hasLowerBound() || set.hasUpperBound() || set.isPoint());
    EXPECT_FALSE(set.canProvePositive() || set.canProveNonNegative() || set.canProveNegative());
  }
  EXPECT_TRUE(IntSet::nothing().isNothing());
  EXPECT_FALSE(IntSet::everything().isNothing());
}

TEST_F(IntSetTest, SignsAreProvenFromTheEnds) {
  EXPECT_TRUE(span(1, 4).canProvePositive());
  EXPECT_FALSE(span(0, 4).canProvePositive());
  EXPECT_TRUE(span(0, 4).canProveNonNegative());
  EXPECT_TRUE(span(-4, -1).canProveNegative());
  EXPECT_FALSE(IntSet::interval(n, nullptr).canProveNonNegative());
}

TEST_F(IntSetTest, CoverFallsBackWhenAnEndIsInfinite) {
  Range whole{intImm(0), intImm(100)};
  EXPECT_EQ(show(span(3, 7).coverRange(whole).extent), "5");
  EXPECT_EQ(show(IntSet::interval(intImm(3), nullptr).coverRange(whole).extent), "100");
}

TEST_F(IntSetTest, MatchesOnlyExactlyTheRange) {
  EXPECT_TRUE(IntSet::interval(n, n + 7).matches(Range{n, intImm(8)}));
  EXPECT_FALSE(IntSet::interval(n, n + 7).matches(Range{n, intImm(9)}));
  EXPECT_FALSE(IntSet::everything().matches(Range{n, intImm(9)}));
}

TEST_F(IntSetTest, UnionCoversGapsButLowerBoundDoesNot) {
  std::vector<IntSet> touching{span(0, 3), span(4, 7)}, apart{span(0, 3), span(8, 9)};
  EXPECT_EQ(text(unionOf(touching)), "0 .. 7");
  EXPECT_EQ(text(unionLowerBound(touching)), "0 .. 7");
  EXPECT_EQ(text(unionOf(apart)), "0 .. 9");
  EXPECT_EQ(text(unionLowerBound(apart)), "0 .. 3");
  EXPECT_EQ(text(unionOf({})), "nothing");
}

TEST_F(IntSetTest, DisjointSetsIntersectInNothing) {
  std::vector<IntSet> apart{span(0, 3), span(8, 9)}, overlapping{span(0, 5), IntSet::interval(intImm(3), nullptr)};
  EXPECT_EQ(text(intersect(apart)), "nothing");
  EXPECT_EQ(text(intersect(overlapping)), "3 .. 5");
}

TEST_F(IntSetTest, SetsOfVariablesIntersectUnlessTheyNeverMeet) {
  const auto clipped = [&](const Expr& from, const Expr& to) {
    return text(intersect(std::vector<IntSet>{IntSet::interval(from, to), span(0, 7)}));
  };
  EXPECT_EQ(clipped(x, x + 3), "(max x 0) .. (min (add x 3) 7)");
  EXPECT_EQ(clipped(x + 10, x + 12), "(max (add x 10) 0) .. (min (add x 12) 7)") << "they meet where x is -4";
  EXPECT_EQ(clipped(ir::floormod(x, intImm(4)) + 8, ir::floormod(x, intImm(4)) + 9), "nothing");
}

TEST_F(IntSetTest, RegionsAreUnitedDimensionByDimension) {
  auto all = unionRegion({{span(0, 3), span(5, 6)}, {span(2, 8), span(0, 1)}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(text(all[0]), "0 .. 8");
  EXPECT_EQ(text(all[1]), "0 .. 6");
  EXPECT_TRUE(unionRegion({}).empty());
}

TEST_F(IntSetTest, SetsThatUseOtherVariablesAreRelaxed) {
  IntSetMap sets{{x.get(), IntSet::interval(y, y + 3)}, {y.get(), span(0, 7)}};
  EXPECT_EQ(text(evalSet(x * 2, sets)), "0 .. 20");
}

TEST_F(IntSetTest, VectorsAreTheSetOfTheirLanes) {
  EXPECT_EQ(text(IntSet::lanesOf(ramp(x, intImm(2), 4))), "x .. (add x 6)");
  EXPECT_EQ(text(IntSet::lanesOf(ramp(x, intImm(-2), 4))), "(add x -6) .. x");
  EXPECT_TRUE(IntSet::lanesOf(broadcast(x, 4)).isPoint());
}

TEST_F(IntSetTest, LoadsAreKnownOnlyAtFixedPlaces) {
  auto buffer = makeBuffer(Id{0, 1}, "A", DType::Int(32), {intImm(8)});
  IntSetMap sets{{x.get(), span(0, 7)}};
  EXPECT_TRUE(evalSet(load(buffer, {x}), sets).isEverything());
  EXPECT_TRUE(evalSet(load(buffer, {y}), sets).isPoint());
}

TEST_F(IntSetTest, CallsCouldBeAnything) {
  EXPECT_TRUE(evalSet(call(DType::Int(32), "popcount", {x}), {}).isEverything());
}

TEST_F(IntSetTest, RefusesDivisionByZero) {
  IntSetMap sets{{x.get(), span(0, 7)}};
  EXPECT_THROW(evalSet(binary(ExprKind::FloorDiv, x, intImm(0)), sets), std::domain_error);
  EXPECT_THROW(evalSet(binary(ExprKind::FloorMod, x, intImm(0)), sets), std::domain_error);
}

TEST_F(IntSetTest, BoundsAreReadFromBothSidesOfComparisons) {
  auto bounds = boundsIn(andOf(lt(x, n), le(intImm(2), y)));
  ASSERT_EQ(bounds.size(), 3u);
  EXPECT_EQ(bounds[0].first, x);
  EXPECT_EQ(text(bounds[0].second), "-inf .. (sub n 1)");
  EXPECT_EQ(bounds[1].first, n);
  EXPECT_EQ(text(bounds[1].second), "(add x 1) .. inf");
  EXPECT_EQ(text(bounds[2].second), "2 .. inf");
  EXPECT_TRUE(boundsIn(orOf(lt(x, n), lt(y, n))).empty()) << "neither side of an `or` is known";
}

// --- regions ---

class RegionTest : public IntSetTest {
 protected:
  static VarRanges loops(std::initializer_list<std::pair<Var, std::int64_t>> extents) {
    VarRanges ranges;
    for (auto& [var, extent] : extents) ranges.set(var, Range{intImm(0), intImm(extent)});
    return ranges;
  }
  std::optional<IntRegion> strict(const std::vector<Range>& region, const VarRanges& domains,
                                  const Expr& predicate = boolImm(true)) {
    return estimateRegionStrictBound(region, domains, predicate, analyzer);
  }
  Analyzer analyzer;
};

TEST_F(RegionTest, TilesWithoutHolesAreABox) {
  auto box = strict({{x * 8 + y, intImm(1)}, {intImm(3), intImm(2)}}, loops({{x, 4}, {y, 8}}));
  ASSERT_TRUE(box);
  EXPECT_EQ(text((*box)[0]), "0 .. 31");
  EXPECT_EQ(text((*box)[1]), "3 .. 4");
}

TEST_F(RegionTest, StridesWiderThanTheTileLeaveHoles) {
  EXPECT_FALSE(strict({{x * 4, intImm(3)}}, loops({{x, 4}})));
  EXPECT_TRUE(strict({{x * 4, intImm(4)}}, loops({{x, 4}})));
}

TEST_F(RegionTest, DimensionsThatDependOnEachOtherAreNoBox) {
  auto diagonal = std::vector<Range>{{x, intImm(1)}, {x, intImm(1)}};
  EXPECT_FALSE(strict(diagonal, loops({{x, 8}})));
  auto upper = estimateRegionUpperBound(diagonal, loops({{x, 8}}), boolImm(true), analyzer);
  EXPECT_EQ(text(upper[0]), "0 .. 7");
  EXPECT_EQ(text(upper[1]), "0 .. 7");
}

TEST_F(RegionTest, PredicateCutsTheBox) {
  auto box = strict({{x * 40 + y, intImm(1)}}, loops({{x, 3}, {y, 40}}), lt(x * 40 + y, intImm(100)));
  ASSERT_TRUE(box);
  EXPECT_EQ(text((*box)[0]), "0 .. 99");
}

TEST_F(RegionTest, ExtentsThatAreNotConstantAreNotEstimatedStrictly) {
  EXPECT_FALSE(strict({{x, n}}, loops({{x, 8}})));
}

TEST_F(RegionTest, UpperBoundFallsBackToIntervals) {
  auto upper = estimateRegionUpperBound({{x * y, intImm(1)}}, loops({{x, 8}, {y, 4}}), boolImm(true), analyzer);
  EXPECT_EQ(text(upper[0]), "-inf .. inf");
  upper = estimateRegionUpperBound({{minOf(x, y), intImm(1)}}, loops({{x, 8}, {y, 4}}), boolImm(true), analyzer);
  EXPECT_EQ(text(upper[0]), "0 .. 3");
}

}  // namespace
}  // namespace loom::arith
