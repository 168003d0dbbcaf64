// What iterator maps are for, fact by fact: which bindings visit every point once, and how they are written.
#include <gtest/gtest.h>

#include "core/arith/iter_map.h"
#include "tests/arith/notation.h"

namespace loom::arith {
namespace {

using namespace ir;
using notation::show;

class IterMapTest : public ::testing::Test {
 protected:
  static VarRanges loops(std::initializer_list<std::pair<Var, std::int64_t>> extents) {
    VarRanges ranges;
    for (auto& [var, extent] : extents) ranges.set(var, Range{intImm(0), intImm(extent)});
    return ranges;
  }
  IterMapResult detect(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate = boolImm(true),
                       IterMapLevel level = IterMapLevel::Surjective) {
    return detectIterMap(indices, iters, predicate, level, analyzer);
  }
  IterMapResult bijective(const std::vector<Expr>& indices, const VarRanges& iters,
                          const Expr& predicate = boolImm(true)) {
    return detect(indices, iters, predicate, IterMapLevel::Bijective);
  }
  std::vector<std::string> simplified(const std::vector<Expr>& indices, const VarRanges& iters,
                                      const Expr& predicate = boolImm(true), bool simplifyTrivial = true) {
    std::vector<std::string> texts;
    for (auto& e : iterMapSimplify(indices, iters, predicate, IterMapLevel::Surjective, analyzer, simplifyTrivial))
      texts.push_back(show(e));
    return texts;
  }
  static std::string extentOf(const IterMapResult& map, std::size_t i = 0) {
    return map.indices.at(i)->args.empty() ? "1" : show(map.indices[i]->args[0]->extent);
  }

  Analyzer analyzer;
  Var x = makeVar("x"), y = makeVar("y"), z = makeVar("z"), n = makeVar("n");
};

// --- detection ---

TEST_F(IterMapTest, LoopsAndConstantsAreIterators) {
  auto map = detect({x, y, intImm(3)}, loops({{x, 3}, {y, 4}}));
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map, 0), "3");
  EXPECT_EQ(extentOf(map, 1), "4");
  EXPECT_TRUE(map.indices[2]->args.empty());
  EXPECT_EQ(show(map.indices[2]->base), "3");
}

TEST_F(IterMapTest, FusedLoopsAreOneIterator) {
  auto map = bijective({y * 3 + x + 1}, loops({{x, 3}, {y, 4}}));
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map), "12");
  EXPECT_EQ(show(map.indices[0]->base), "1");
}

TEST_F(IterMapTest, PartsOfOneLoopFitTogether) {
  EXPECT_TRUE(bijective({floordiv(x, intImm(4)), floormod(x, intImm(4))}, loops({{x, 24}})));
  EXPECT_TRUE(bijective({floordiv(x, intImm(12)), floormod(floordiv(x, intImm(4)), intImm(3)), floormod(x, intImm(4))},
                        loops({{x, 24}})));
}

TEST_F(IterMapTest, RefusesAVariableUsedTwice) {
  auto map = detect({x, x + 1, y}, loops({{x, 8}, {y, 6}}));
  EXPECT_FALSE(map);
  EXPECT_FALSE(map.errors.empty());
}

TEST_F(IterMapTest, RefusesOverlappingSums) {
  EXPECT_FALSE(bijective({y * 2 + x}, loops({{x, 3}, {y, 4}})));
  EXPECT_FALSE(bijective({y * 4 + x}, loops({{x, 3}, {y, 4}})));
}

TEST_F(IterMapTest, BelowBijectiveAnOverlapLengthensTheIterator) {
  auto map = detect({y * 2 + x}, loops({{x, 3}, {y, 4}}));
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map), "9");  // 3 * 2 + 2, and one
  EXPECT_FALSE(detect({y * 4 + x}, loops({{x, 3}, {y, 4}}))) << "a gap leaves points out";
}

TEST_F(IterMapTest, OnlyBijectiveMapsMustUseEveryLoop) {
  auto iters = loops({{x, 8}, {y, 6}});
  EXPECT_FALSE(bijective({x}, iters));
  EXPECT_TRUE(detect({x}, iters));
  EXPECT_TRUE(bijective({x}, loops({{x, 8}, {y, 1}}))) << "a loop of extent 1 may be left out";
}

TEST_F(IterMapTest, RefusesProductsAndLoopDependentDivisors) {
  auto iters = loops({{x, 8}, {y, 6}});
  EXPECT_FALSE(detect({x * y}, iters));
  EXPECT_FALSE(detect({floordiv(x, y)}, iters));
  EXPECT_FALSE(detect({minOf(x, y)}, iters));
}

TEST_F(IterMapTest, RefusesRangesThatUseOtherLoops) {
  VarRanges iters = loops({{x, 8}});
  iters.set(y, Range{intImm(0), x + 1});
  EXPECT_FALSE(detect({x, y}, iters));
  EXPECT_THROW(normalizeToIterSum(x + y, iters, analyzer), std::logic_error);
}

// --- predicates ---

TEST_F(IterMapTest, PredicateCutsAFusedIterator) {
  auto iters = loops({{x, 13}, {y, 10}});
  for (auto& predicate : {lt(x * 10 + y, intImm(128)), le(x * 10 + y, intImm(127)), gt(intImm(128), x * 10 + y)}) {
    auto map = bijective({x * 10 + y}, iters, predicate);
    ASSERT_TRUE(map) << show(predicate);
    EXPECT_EQ(extentOf(map), "128") << show(predicate);
  }
}

TEST_F(IterMapTest, LowerBoundShiftsTheIterator) {
  auto predicate = andOf(lt(x * 10 + y, intImm(128)), ge(x * 10 + y, intImm(6)));
  auto map = detect({x * 10 + y}, loops({{x, 13}, {y, 10}}), predicate);
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map), "122");
  EXPECT_EQ(show(map.indices[0]->base), "6");
}

TEST_F(IterMapTest, PredicateOfOneLoopNarrowsItsRange) {
  auto map = bijective({x}, loops({{x, 16}}), andOf(lt(x, intImm(10)), ge(x, intImm(2))));
  ASSERT_TRUE(map);
  EXPECT_EQ(show(normalizeIterMapToExpr(map.indices[0])), "(add (sub x 2) 2)");
}

TEST_F(IterMapTest, ConstrainedGroupIsOneStepOfALargerSum) {
  auto map = bijective({x * 9 + y * 2 + z}, loops({{x, 4}, {y, 5}, {z, 2}}), lt(y * 2 + z, intImm(9)));
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map), "36");
}

TEST_F(IterMapTest, RefusesGroupsThatShareSomeIterators) {
  auto iters = loops({{x, 3}, {y, 5}, {z, 2}});
  auto crossing = andOf(lt(x * 5 + y, intImm(11)), lt(y * 2 + z, intImm(9)));
  EXPECT_FALSE(detect({x * 10 + y * 2 + z}, iters, crossing));
}

TEST_F(IterMapTest, RefusesPredicatesThatAreNotBounds) {
  auto iters = loops({{x, 8}, {y, 6}});
  EXPECT_FALSE(detect({x, y}, iters, eq(x, y)));
  EXPECT_FALSE(detect({x, y}, iters, orOf(lt(x, intImm(2)), lt(y, intImm(2)))));
}

// --- padding ---

TEST_F(IterMapTest, PaddingIsToldByAPredicate) {
  auto map = detect({floordiv(x, intImm(4))}, loops({{x, 18}}));
  ASSERT_TRUE(map);
  EXPECT_EQ(extentOf(map), "5");
  EXPECT_EQ(show(map.paddingPredicate), "(and (eq (fdiv x 4) 4) (ge (fmod x 4) 2))");
}

TEST_F(IterMapTest, NoPaddingWhereTheDivisorFits) {
  auto map = detect({floordiv(x, intImm(4)), floormod(x, intImm(4))}, loops({{x, 16}}));
  ASSERT_TRUE(map);
  EXPECT_TRUE(isFalse(map.paddingPredicate));
}

TEST_F(IterMapTest, BijectiveMapsAreNotPadded) {
  EXPECT_FALSE(bijective({floordiv(x, intImm(4)), floormod(x, intImm(4))}, loops({{x, 18}})));
}

TEST_F(IterMapTest, RefusesSeveralPartsOfAPaddedIterator) {
  EXPECT_FALSE(detect({floordiv(x, intImm(4)), floormod(x, intImm(4))}, loops({{x, 18}})));
}

// --- simplified bindings ---

TEST_F(IterMapTest, SplitAndFusedBackIsTheLoop) {
  auto iters = loops({{x, 32}});
  EXPECT_EQ(simplified({floordiv(x, intImm(8)) * 8 + floormod(x, intImm(8))}, iters)[0], "x");
}

TEST_F(IterMapTest, PartsOfAFusionKeepItsSum) {
  auto iters = loops({{x, 100}, {y, 64}});
  Expr fused = x * 64 + y;
  EXPECT_EQ(simplified({floordiv(fused, intImm(64)), floormod(fused, intImm(64))}, iters),
            (std::vector<std::string>{"(fdiv (add (mul x 64) y) 64)", "(fmod (add (mul x 64) y) 64)"}));
}

TEST_F(IterMapTest, PredicateOfAnOddSplitKeepsTheSum) {
  auto iters = loops({{x, 3}, {y, 40}});
  EXPECT_EQ(simplified({x * 40 + y}, iters, lt(x * 40 + y, intImm(100)))[0], "(add (mul x 40) y)");
}

TEST_F(IterMapTest, UnitLoopsVanishOnlyWhenAsked) {
  auto iters = loops({{x, 1}, {y, 100}});
  EXPECT_EQ(simplified({x * 100 + y}, iters)[0], "y");
  EXPECT_EQ(simplified({x * 100 + y}, iters, boolImm(true), false)[0], "(add (mul x 100) y)");
}

TEST_F(IterMapTest, IndicesThatAreNoMapStayAsTheyAre) {
  auto iters = loops({{x, 8}, {y, 6}});
  EXPECT_EQ(simplified({x * y, x}, iters), (std::vector<std::string>{"(mul x y)", "x"}));
}

TEST_F(IterMapTest, SymbolicSplitOfASymbolicLoop) {
  VarRanges iters;
  iters.set(x, Range{intImm(0), floordiv(n + 31, intImm(32))});
  iters.set(y, Range{intImm(0), intImm(32)});
  auto map = detect({x * 32 + y}, iters, lt(x * 32 + y, n));
  ASSERT_TRUE(map);
  EXPECT_EQ(show(normalizeIterMapToExpr(map.indices[0])), "(add (mul x 32) y)");
}

TEST_F(IterMapTest, SumsAreSortedByFallingScale) {
  auto sum = normalizeToIterSum(x + y * 12 + z * n * 4 + n, loops({{x, 3}, {y, 4}, {z, 5}}), analyzer);
  ASSERT_EQ(sum->args.size(), 3u);
  EXPECT_EQ(show(sum->args[0]->scale), "12");
  EXPECT_EQ(show(sum->args[1]->scale), "(mul n 4)");
  EXPECT_EQ(show(sum->args[2]->scale), "1");
  EXPECT_EQ(show(sum->base), "n");
}

// --- divided subspaces ---

TEST_F(IterMapTest, SubspaceIsCutFromTheSmallScales) {
  auto iters = loops({{x, 3}, {y, 4}, {z, 2}});
  auto division =
      subspaceDivide({z * 12 + y * 3 + x + 2}, iters, {x}, boolImm(true), IterMapLevel::Surjective, analyzer);
  ASSERT_TRUE(division);
  auto& binding = division->bindings.at(0);
  EXPECT_EQ(show(normalizeIterMapToExpr(binding.outer->source)), "(add (mul z 4) y)");
  EXPECT_EQ(show(binding.outer->extent), "8");
  EXPECT_EQ(show(normalizeIterMapToExpr(binding.inner->source)), "(add x 2)");
  EXPECT_EQ(show(binding.inner->extent), "3");
  EXPECT_TRUE(isTrue(division->outerPredicate));
  EXPECT_TRUE(isTrue(division->innerPredicate));
}

TEST_F(IterMapTest, PredicateGoesToTheSideItConstrains) {
  auto iters = loops({{x, 3}, {y, 4}, {z, 2}});
  auto division =
      subspaceDivide({z, y * 3 + x}, iters, {y, x}, lt(y * 3 + x, intImm(10)), IterMapLevel::Surjective, analyzer);
  ASSERT_TRUE(division);
  EXPECT_TRUE(isTrue(division->outerPredicate));
  EXPECT_EQ(show(division->innerPredicate), "(lt (add (mul y 3) x) 10)");
}

TEST_F(IterMapTest, RefusesSubspacesOfLargeScales) {
  auto iters = loops({{x, 3}, {y, 4}});
  EXPECT_FALSE(subspaceDivide({y * 3 + x}, iters, {y}, boolImm(true), IterMapLevel::Surjective, analyzer));
}

TEST_F(IterMapTest, RefusesAPredicateAcrossBothSides) {
  auto iters = loops({{x, 3}, {y, 4}});
  EXPECT_FALSE(subspaceDivide({y * 3 + x}, iters, {x}, lt(y * 3 + x, intImm(10)), IterMapLevel::Surjective, analyzer));
}

TEST_F(IterMapTest, RefusesABoundaryInsideAPart) {
  auto iters = loops({{x, 3}, {y, 4}});  // 12 = 4 * 3, divided as 3 * 4
  Expr fused = y * 3 + x;
  EXPECT_FALSE(subspaceDivide({floordiv(fused, intImm(4)), floormod(fused, intImm(4))}, iters, {x}, boolImm(true),
                              IterMapLevel::Surjective, analyzer));
}

// --- inverses ---

TEST_F(IterMapTest, InverseOfAFusion) {
  auto map = bijective({x * 8 + y}, loops({{x, 4}, {y, 8}}));
  auto inverse = inverseAffineIterMap(map.indices, {z});
  ASSERT_TRUE(inverse);
  analyzer.bind(z, Range{intImm(0), intImm(32)});
  EXPECT_EQ(show(analyzer.simplify(*inverse->find(x))), "(fdiv z 8)");
  EXPECT_EQ(show(analyzer.simplify(*inverse->find(y))), "(fmod z 8)");
}

TEST_F(IterMapTest, InverseOfASplit) {
  auto map = bijective({floordiv(x, intImm(8)), floormod(x, intImm(8))}, loops({{x, 32}}));
  auto inverse = inverseAffineIterMap(map.indices, {y, z});
  ASSERT_TRUE(inverse);
  EXPECT_EQ(show(analyzer.simplify(*inverse->find(x))), "(add (mul y 8) z)");
}

TEST_F(IterMapTest, InverseNeedsVariablesAsSources) {
  VarRanges iters;
  iters.set(x, Range{intImm(2), intImm(8)});
  auto map = bijective({x}, iters);
  ASSERT_TRUE(map);
  auto inverse = inverseAffineIterMap(map.indices, {z});
  ASSERT_FALSE(inverse);
  EXPECT_EQ(inverse.error().code, "TypeError");
}

}  // namespace
}  // namespace loom::arith
