#include "core/device/lane_program.h"

#include <gtest/gtest.h>

#include <random>

#include "core/ir/build.h"

namespace loom::device::lane_program_test {
namespace {

using namespace ir;

// Expressions of three variables, with operations that make nothing in some lanes among them.
class Drawn {
 public:
  std::vector<Var> vars = {makeVar("x"), makeVar("y"), makeVar("z")};

  Expr expression(int depth) {
    if (depth == 0) return draw(3) == 0 ? Expr(intImm(draw(9) - 1)) : Expr(vars[std::size_t(draw(3))]);
    const Expr a = expression(depth - 1), b = expression(draw(depth));
    static const std::vector<ExprKind> kKinds = {
        ExprKind::Add,      ExprKind::Sub, ExprKind::Mul, ExprKind::Div, ExprKind::Mod, ExprKind::FloorDiv,
        ExprKind::FloorMod, ExprKind::Min, ExprKind::Max, ExprKind::EQ,  ExprKind::NE,  ExprKind::LT,
        ExprKind::LE,       ExprKind::GT,  ExprKind::GE,  ExprKind::And, ExprKind::Or};
    static const std::vector<std::string> kCalls = {"shift_left", "shift_right", "bitwise_and", "bitwise_or",
                                                    "bitwise_xor"};
    switch (draw(8)) {
      case 0: return std::make_shared<CallNode>(DType::Int(32), kCalls[std::size_t(draw(5))], std::vector{a, b});
      case 1: return std::make_shared<NotNode>(a);
      case 2: return std::make_shared<SelectNode>(a, b, expression(depth - 1));
      case 3: {
        const Var let = makeVar("let");
        return std::make_shared<LetNode>(let, a, std::make_shared<BinaryNode>(ExprKind::Add, let, b, b->dtype));
      }
      default: return std::make_shared<BinaryNode>(kKinds[std::size_t(draw(int(kKinds.size())))], a, b, DType::Int(32));
    }
  }

  LaneValues values() {
    LaneValues v(draw(40) - 8);
    v.uniform = draw(2) == 0;
    for (std::int64_t& lane : v.each) lane = draw(40) - 8;
    return v;
  }

  int draw(int n) { return int(random_() % unsigned(n)); }

 private:
  std::mt19937 random_{7};
};

void expectSame(const LaneValues* got, const std::optional<LaneValues>& expected) {
  ASSERT_EQ(got != nullptr, expected.has_value());
  if (!got) return;
  for (int lane = 0; lane < kLanes; ++lane) ASSERT_EQ((*got)[lane], (*expected)[lane]);
}

TEST(LaneProgram, MakesWhatAWarpsStateMakesAsVariablesChange) {
  Drawn drawn;
  int known = 0;
  for (int n = 0; n < 200; ++n) {
    const std::vector<Expr> expressions = {drawn.expression(3), drawn.expression(4), drawn.expression(2)};
    LaneProgram program;
    for (const Expr& e : expressions) program.add(e);
    WarpState state;
    for (int step = 0; step < 20; ++step) {
      // The first times some variables have no value yet.
      const Var& var = drawn.vars[std::size_t(drawn.draw(3))];
      const LaneValues value = drawn.values();
      program.set(var.get(), value);
      state.set(var.get(), value);
      // Not each is asked for each time.
      const int asked = drawn.draw(int(expressions.size()));
      const auto expected = state.evaluate(expressions[std::size_t(asked)]);
      known += expected.has_value();
      expectSame(program.value(asked), expected);
    }
  }
  EXPECT_GT(known, 1000) << "most expressions should have a value";
}

TEST(LaneProgram, OnlyKnowsWhatItsVariablesTell) {
  const Var x = makeVar("x"), y = makeVar("y");
  LaneProgram program;
  const int sum = program.add(x + y), constant = program.add(intImm(3) * intImm(4)),
            quotient = program.add(floordiv(x, y)),
            loaded = program.add(std::make_shared<CallNode>(DType::Int(32), "f", std::vector<Expr>{x}));
  program.set(x.get(), 7);
  EXPECT_EQ(program.value(sum), nullptr);
  EXPECT_EQ(program.value(constant)->one, 12);
  program.set(y.get(), 0);
  EXPECT_EQ(program.value(sum)->one, 7);
  EXPECT_EQ(program.value(quotient), nullptr) << "nothing divided by 0 is known";
  program.set(y.get(), 2);
  EXPECT_EQ(program.value(quotient)->one, 3);
  EXPECT_EQ(program.value(loaded), nullptr);
}

std::int64_t floorQuotient(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

TEST(LaneOperations, DivideAsNumbersDo) {
  std::mt19937_64 random(5);
  std::vector<std::int64_t> divisors = {1, 2, 3, 5, 7, 9, 64, 181, -1, -6, 65537, 0x7fffffff, 0x7ffffffe, 0x80000000};
  for (int n = 0; n < 50; ++n) divisors.push_back(1 + std::int64_t(random() % 5000));
  for (const std::int64_t y : divisors)
    for (const std::int64_t range : {std::int64_t{40}, std::int64_t{1} << 31, std::int64_t{1} << 40})
      for (const bool isNegative : {false, true}) {
        LaneValues x, got;
        x.uniform = false;
        for (std::int64_t& value : x.each) {
          value = std::int64_t(random() % std::uint64_t(range));
          if (random() % 3 == 0) value = std::min(value / y * y + std::int64_t(random() % 2), range - 1);
          if (isNegative && random() % 4 == 0) value = -value;
        }
        const auto expect = [&](LaneOperation operation, const auto& one) {
          ASSERT_TRUE(combine(operation, x, y, got));
          for (int lane = 0; lane < kLanes; ++lane) ASSERT_EQ(got[lane], one(x[lane])) << x[lane] << " by " << y;
        };
        expect(LaneOperation::FloorDiv, [&](std::int64_t a) { return floorQuotient(a, y); });
        expect(LaneOperation::FloorMod, [&](std::int64_t a) { return a - floorQuotient(a, y) * y; });
        expect(LaneOperation::Div, [&](std::int64_t a) { return a / y; });
        expect(LaneOperation::Mod, [&](std::int64_t a) { return a % y; });
      }
}

TEST(LaneValues, DigitsOfNumbersAreUniformWhereTheyAre) {
  for (const std::int64_t count : {1, 7, 32, 60, 300})
    for (const std::int64_t step : {1, 3, 32, 64})
      for (const std::int64_t radix : {1, 2, 5, 40})
        for (std::int64_t first = 0; first < count; first += kLanes) {
          const LaneValues digits = digitsFrom(first, count, step, radix);
          bool same = true;
          for (int lane = 0; lane < kLanes; ++lane) {
            const std::int64_t number = std::min(first + lane, count - 1);
            ASSERT_EQ(digits[lane], number / step % radix) << count << " " << step << " " << radix;
            same &= number / step == first / step;
          }
          EXPECT_EQ(digits.uniform, same);
        }
}

}  // namespace
}  // namespace loom::device::lane_program_test
