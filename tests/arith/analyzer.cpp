#include "core/arith/analyzer.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "core/ir/substitute.h"
#include "tests/arith/notation.h"

namespace loom::arith {
namespace {

using namespace ir;
using notation::show;

class AnalyzerTest : public ::testing::Test {
 protected:
  void bind(const Var& v, std::int64_t min, std::int64_t extent) {
    analyzer.bind(v, Range{intImm(min), intImm(extent)});
  }
  Analyzer analyzer;
  Var x = makeVar("x"), y = makeVar("y"), n = makeVar("n");
};

TEST_F(AnalyzerTest, FusedThenSplitIndexComesBack) {
  bind(x, 0, 16);
  bind(y, 0, 8);
  Expr fused = x * 8 + y;
  EXPECT_EQ(show(analyzer.simplify(floordiv(fused, intImm(8)))), "x");
  EXPECT_EQ(show(analyzer.simplify(floormod(fused, intImm(8)))), "y");
  EXPECT_TRUE(analyzer.canProve(lt(fused, intImm(128))));
}

TEST_F(AnalyzerTest, WithoutRangesNothingIsProvenAboutRemainders) {
  Expr fused = x * 8 + y;
  EXPECT_EQ(show(analyzer.simplify(floormod(fused, intImm(8)))), "(fmod y 8)");
  EXPECT_FALSE(analyzer.canProve(lt(fused, intImm(128))));
}

TEST_F(AnalyzerTest, UnitExtentBindsTheValue) {
  bind(x, 3, 1);
  EXPECT_EQ(show(analyzer.simplify(x * 4 + y)), "(add y 12)");
}

TEST_F(AnalyzerTest, SecondBindingMustAgreeUnlessOverridden) {
  bind(x, 0, 16);
  bind(x, 0, 16);
  EXPECT_THROW(bind(x, 0, 8), std::logic_error);
  analyzer.bind(x, Range{intImm(0), intImm(8)}, true);
  EXPECT_EQ(analyzer.constIntBound(x), (ConstIntBound{0, 7}));
}

TEST_F(AnalyzerTest, ValueOfAVariableCannotChange) {
  analyzer.bind(x, y + 1);
  EXPECT_THROW(analyzer.bind(x, y + 2), std::logic_error);
}

TEST_F(AnalyzerTest, ConstraintEndsWithItsScope) {
  bind(x, 0, 16);
  Expr condition = lt(x, intImm(4));
  {
    auto context = analyzer.enter(condition);
    EXPECT_TRUE(analyzer.canProve(lt(x, intImm(4))));
    EXPECT_EQ(analyzer.constIntBound(x), (ConstIntBound{0, 3}));
  }
  EXPECT_FALSE(analyzer.canProve(lt(x, intImm(4))));
  EXPECT_EQ(analyzer.constIntBound(x), (ConstIntBound{0, 15}));
}

TEST_F(AnalyzerTest, RemainderConstraintEndsWithItsScope) {
  {
    auto context = analyzer.enter(eq(floormod(x, intImm(4)), intImm(1)));
    EXPECT_EQ(analyzer.modularSet(x), (ModularSet{4, 1}));
    EXPECT_EQ(show(analyzer.simplify(floormod(x, intImm(2)))), "1");
  }
  EXPECT_EQ(analyzer.modularSet(x), (ModularSet{1, 0}));
}

TEST_F(AnalyzerTest, MovedConstraintIsUndoneOnce) {
  auto context = std::make_unique<Analyzer::Constraint>(analyzer.enter(lt(x, intImm(4))));
  context.reset();
  EXPECT_FALSE(analyzer.canProve(lt(x, intImm(4))));
}

TEST_F(AnalyzerTest, NonNegativeShapeBoundsItsSymbol) {
  analyzer.markNonNegative(n * 4);
  EXPECT_TRUE(analyzer.canProveGreaterEqual(n, 0));
  analyzer.markNonNegative(intImm(0) - y);  // a negative scale says nothing
  EXPECT_FALSE(analyzer.canProveGreaterEqual(y, 0));
}

TEST_F(AnalyzerTest, DivisionByZeroStays) {
  Expr e = binary(ExprKind::FloorMod, x, intImm(0));
  EXPECT_EQ(show(analyzer.simplify(e)), "(fmod x 0)");
  EXPECT_EQ(show(analyzer.simplify(binary(ExprKind::Div, intImm(1), intImm(0)))), "(div 1 0)");
  EXPECT_FALSE(analyzer.canProve(eq(e, intImm(0))));
}

TEST_F(AnalyzerTest, FalseConditionsAreNotProven) {
  bind(x, 0, 16);
  EXPECT_FALSE(analyzer.canProve(lt(x, intImm(15))));
  EXPECT_FALSE(analyzer.canProve(boolImm(false)));
  EXPECT_FALSE(analyzer.canProveLess(x, 15));
  EXPECT_FALSE(analyzer.canProveGreaterEqual(x, 1));
  EXPECT_FALSE(analyzer.canProveEqual(x, y));
}

TEST_F(AnalyzerTest, EqualValuesInDifferentShapesAreEqual) {
  EXPECT_TRUE(analyzer.canProveEqual(x * 4 + y * 4, (x + y) * 4));
  EXPECT_TRUE(analyzer.canProveEqual(floordiv(x, intImm(4)) * 4 + floormod(x, intImm(4)), x));
}

TEST_F(AnalyzerTest, HandlesAreEqualOnlyToThemselves) {
  Var a = makeVar("a", DType::Handle()), b = makeVar("b", DType::Handle());
  EXPECT_TRUE(analyzer.canProveEqual(a, a));
  EXPECT_FALSE(analyzer.canProveEqual(a, b));
}

TEST_F(AnalyzerTest, LoadsAreKeptAndTheirIndicesSimplified) {
  Buffer a = makeBuffer(Id{}, "A", DType::Float(32), {intImm(128)});
  Expr e = analyzer.simplify(load(a, {x * 1 + y - y}));
  ASSERT_EQ(e->kind, ExprKind::Load);
  EXPECT_EQ(as<LoadNode>(e)->indices[0], x);
}

TEST_F(AnalyzerTest, ConditionsWithLoadsAreNoLiterals) {
  Buffer a = makeBuffer(Id{}, "A", DType::Int(32), {intImm(128)});
  Expr condition = lt(load(a, {x}), y);
  auto context = analyzer.enter(condition);
  EXPECT_FALSE(analyzer.canProve(condition));
}

// As TVM 0.22 has it, for extents that are made so: whatever a target's log2 rounds to.
TEST_F(AnalyzerTest, CeilOfLog2OfAConstantIsExact) {
  const DType t = DType::Float(64);
  auto ceilOfLog2 = [&](Expr of) { return call(t, "ceil", {call(t, "log2", {std::move(of)})}); };
  Expr e = analyzer.simplify(cast(DType::Int(32), ceilOfLog2(floatImm(10, t))));
  EXPECT_EQ(constantOr(e, -1), 4);
  EXPECT_EQ(constantOr(analyzer.simplify(cast(DType::Int(32), ceilOfLog2(floatImm(8, t)))), -1), 3);
  EXPECT_EQ(analyzer.simplify(ceilOfLog2(makeVar("f", t)))->kind, ExprKind::Call);
}

TEST_F(AnalyzerTest, ConstantsThatATypeLacksStayConverted) {
  EXPECT_EQ(cast(DType::Int(8), intImm(300))->kind, ExprKind::Cast);
  EXPECT_EQ(cast(DType::UInt(8), intImm(-1))->kind, ExprKind::Cast);
  EXPECT_EQ(constantOr(cast(DType::Int(8), intImm(-128)), 0), -128);
}

// Where TVM 0.22 rounds the quotient of a remainder that is subtracted down (its pull request 19669), a kernel with a
// mask, i <= j and j of a thread's lane, would add up too little.
TEST_F(AnalyzerTest, SimplifiedComparisonsHoldForTheSameValues) {
  bind(x, 0, 4);
  bind(y, 0, 32);
  for (std::int64_t scale : {-3, -2, -1, 1, 2}) {
    for (std::int64_t divisor : {1, 2, 4}) {
      for (std::int64_t base : {-12, -8, -3, 0, 1, 4, 8}) {
        const Expr part = floordiv(floormod(y, intImm(16)), intImm(divisor));
        const Expr condition = lt(x * 4 + part * scale, intImm(base));
        const Expr simplified = analyzer.simplify(condition);
        for (std::int64_t i = 0; i < 4; ++i)
          for (std::int64_t j = 0; j < 32; ++j) {
            const VarMap at = {{x.get(), intImm(i)}, {y.get(), intImm(j)}};
            ASSERT_EQ(constantOr(Analyzer().simplify(substitute(simplified, at)), -1),
                      i * 4 + j % 16 / divisor * scale < base)
                << show(condition) << " became " << show(simplified) << " at " << i << ", " << j;
          }
      }
    }
  }
}

}  // namespace
}  // namespace loom::arith
