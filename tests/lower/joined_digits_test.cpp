// Digits of a number, each simplified by itself, become the number again.
#include "core/lower/joined_digits.h"

#include <gtest/gtest.h>

#include "core/arith/deep_equal.h"
#include "core/ir/build.h"

namespace loom::lower::joined_digits_test {
namespace {

using namespace ir;

class JoinedDigits : public testing::Test {
 protected:
  JoinedDigits() {
    analyzer_.bind(x_, Range{intImm(0), intImm(12)}, true);
    analyzer_.bind(y_, Range{intImm(0), intImm(192)}, true);
  }
  Expr simple(const Expr& e) { return analyzer_.simplifyOwn(e); }
  // The digit of v above `below`, of `extent` values, as an index that was simplified by itself.
  Expr digit(const Expr& v, int below, int extent) {
    return simple(floormod(floordiv(v, intImm(below)), intImm(extent)));
  }

  Var x_ = makeVar("x", DType::Int(32)), y_ = makeVar("y", DType::Int(32));
  // A step of 48 along k, and the place in it.
  const Expr v_ = Expr(x_) * 48 + floormod(Expr(y_), intImm(48));
  arith::Analyzer analyzer_;
};

TEST_F(JoinedDigits, AreTheNumber) {
  const Expr sum = simple(simple(floordiv(v_, intImm(9))) * 9 + digit(v_, 3, 3) * 3 + digit(v_, 1, 3));
  ASSERT_FALSE(arith::deepEqual(sum, simple(v_))) << "then the simplifier does it";
  EXPECT_TRUE(arith::deepEqual(withJoinedDigits(sum, analyzer_), simple(v_)));
}

TEST_F(JoinedDigits, MayCountSeveralElementsAndStandBesideOthers) {
  const Expr row = floordiv(Expr(y_), intImm(48)) * 576;
  const Expr sum = simple(row + simple(floordiv(v_, intImm(9))) * 18 + digit(v_, 3, 3) * 6 + digit(v_, 1, 3) * 2);
  EXPECT_TRUE(arith::deepEqual(withJoinedDigits(sum, analyzer_), simple(row + v_ * 2)));
}

// Rows of 58, one digit that isn't there, one of another number: nothing to join.
TEST_F(JoinedDigits, HaveTheirValues) {
  const Expr high = simple(floordiv(v_, intImm(9)));
  for (const Expr& sum :
       {simple(high * 90 + digit(v_, 3, 3) * 58 + digit(v_, 1, 3)), simple(high * 9 + digit(v_, 3, 3) * 3),
        simple(high * 9 + digit(v_, 1, 3)), simple(high * 9 + digit(v_ + 3, 3, 3) * 3 + digit(v_, 1, 3))})
    EXPECT_TRUE(arith::deepEqual(withJoinedDigits(sum, analyzer_), sum));
}

}  // namespace
}  // namespace loom::lower::joined_digits_test
