#include <gtest/gtest.h>

#include <limits>

#include "core/ir/build.h"
#include "core/ir/equal.h"

using namespace loom::ir;

namespace {

const DType kInt64 = DType::Int(64), kHalf = DType::Float(16), kFloat = DType::Float(32);

TEST(Fold, RemovesZerosAndOnesAsTvmDoes) {
  Expr x = makeVar("x");
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(intImm(0) + x, x);
  EXPECT_EQ(x * 1, x);
  EXPECT_TRUE(isConst(x * 0, 0));
  EXPECT_EQ(x - 0, x);
  EXPECT_EQ(floordiv(x, intImm(1)), x);
  EXPECT_TRUE(isConst(floormod(x, intImm(1)), 0));
}

TEST(Fold, KeepsWhatTvmKeeps) {
  Expr x = makeVar("x");
  EXPECT_EQ((x - x)->kind, ExprKind::Sub);
  EXPECT_EQ((x + 1 + 1)->kind, ExprKind::Add);
  EXPECT_EQ(eq(x, x)->kind, ExprKind::EQ);
  EXPECT_EQ(minOf(x, x), x);  // by identity, the one case
}

TEST(Fold, DividesTowardMinusInfinityOrZero) {
  EXPECT_TRUE(isConst(floordiv(intImm(-7), intImm(2)), -4));
  EXPECT_TRUE(isConst(floormod(intImm(-7), intImm(2)), 1));
  EXPECT_TRUE(isConst(truncdiv(intImm(-7), intImm(2)), -3));
  EXPECT_TRUE(isConst(truncmod(intImm(-7), intImm(2)), -1));
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(isConst(floordiv(intImm(least, kInt64), intImm(-1, kInt64)), least));
}

TEST(Fold, WrapsIntegersToTheirWidth) {
  EXPECT_TRUE(isConst(intImm(2147483647) + 1, -2147483648LL));
  DType byte = DType::UInt(8);
  EXPECT_TRUE(isConst(intImm(255, byte) + intImm(1, byte), 0));
}

TEST(Fold, KeepsDivisionByZero) {
  Expr x = makeVar("x");
  EXPECT_EQ(floordiv(x, intImm(0))->kind, ExprKind::FloorDiv);
  EXPECT_EQ(floordiv(intImm(0), intImm(0))->kind, ExprKind::FloorDiv);
  EXPECT_EQ(floormod(intImm(3), intImm(0))->kind, ExprKind::FloorMod);
  EXPECT_EQ((fold(ExprKind::Div, floatImm(1, kFloat), floatImm(0, kFloat)))->kind, ExprKind::Div);
}

TEST(Fold, BringsOperandsToOneType) {
  Expr x = makeVar("x"), y = makeVar("y", kInt64), h = makeVar("h", kHalf), f = makeVar("f", kFloat);
  EXPECT_EQ((x + y)->dtype, kInt64);
  EXPECT_EQ(asBinary(x + y)->a->kind, ExprKind::Cast);
  EXPECT_EQ((h + f)->dtype, kFloat);
  EXPECT_EQ((x + h)->dtype, kHalf);
  EXPECT_EQ(asBinary(y + intImm(1))->b->dtype, kInt64);
  EXPECT_EQ((makeVar("b", DType::BFloat(16)) + makeVar("e", DType{DType::Code::E4M3, 8, 1}))->dtype, DType::BFloat(16));
  EXPECT_EQ((makeVar("u", DType::UInt(32)) + x)->dtype, DType::UInt(32));
  EXPECT_EQ((x + makeVar("v", DType::Int(32, 4)))->dtype, DType::Int(32, 4));
}

TEST(Fold, RefusesTypesThatCannotMatch) {
  Expr p = makeVar("p", DType::Handle()), x = makeVar("x");
  EXPECT_THROW(x + p, std::logic_error);
  Expr a = makeVar("a", DType::Int(32, 4)), b = makeVar("b", DType::Int(32, 8));
  EXPECT_FALSE(matchTypes(a, b));
  EXPECT_THROW(ifThenElse(boolImm(true), x, p), std::logic_error);
}

TEST(Fold, ComputesFloatsInTheirOwnPrecisionOnly) {
  auto sum = floatImm(0.1, kFloat) + floatImm(0.2, kFloat);
  EXPECT_EQ(as<FloatImmNode>(sum)->value, static_cast<double>(0.1f + 0.2f));
  EXPECT_EQ((floatImm(0.1, kHalf) + floatImm(0.2, kHalf))->kind, ExprKind::Add);
}

TEST(Fold, DecidesLogicByOneConstant) {
  Expr c = lt(makeVar("x"), intImm(3));
  EXPECT_EQ(andOf(c, boolImm(true)), c);
  EXPECT_TRUE(isFalse(andOf(c, boolImm(false))));
  EXPECT_TRUE(isTrue(orOf(boolImm(true), c)));
  EXPECT_TRUE(isFalse(notOf(boolImm(true))));
}

TEST(Cast, FoldsConstantsAndBroadcasts) {
  EXPECT_EQ(as<FloatImmNode>(cast(kHalf, intImm(3)))->value, 3);
  Expr v = broadcast(intImm(3), 4);
  EXPECT_EQ(cast(DType::Float(32, 4), v)->kind, ExprKind::Broadcast);
  EXPECT_EQ(cast(DType::Int(64, 4), ramp(intImm(0), intImm(1), 4))->kind, ExprKind::Ramp);
  Expr x = makeVar("x");
  EXPECT_EQ(cast(DType::Int(32), x), x);
}

TEST(Cast, KeepsNegativeConstantsOutOfUnsigned) {
  EXPECT_EQ(cast(DType::UInt(8), intImm(-1))->kind, ExprKind::Cast);
  EXPECT_EQ(cast(DType::Int(32), floatImm(1e300, DType::Float(64)))->kind, ExprKind::Cast);
}

TEST(Seq, FlattensAndDropsNothing) {
  Stmt a = evaluate(intImm(1)), b = evaluate(intImm(2)), none = evaluate(intImm(0));
  EXPECT_EQ(seq({a}), a);
  EXPECT_EQ(seq({nullptr, a, none}), a);
  Stmt both = seq({seq({a, b}), a});
  ASSERT_TRUE(asSeq(both));
  EXPECT_EQ(asSeq(both)->stmts.size(), 3u);
  EXPECT_EQ(seq({})->kind, StmtKind::Evaluate);
}

}  // namespace
