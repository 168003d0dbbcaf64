// Arithmetic of the executor and of the reference implementation (reference.h): a value is an int64 (integers, bool) or
// a double (every float type, so that sums of small integers are exact in any order). Integers wrap at 64 bits; results
// of narrower dtypes are wrapped by operations of their own (AddI32, WrapSigned, …), and floats are rounded to theirs
// by RoundTo.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "core/exec/control.h"
#include "core/exec/rounding.h"

namespace loom::exec {

union Value {
  std::int64_t i;
  double f;
};
// Convert a register's value to a number, and a number to a register's value. `isFloat`: the register holds a float,
// else an integer, to which `valueOf` cuts off the fraction: `number` must then be in the range of int64.
inline double numberOf(Value v, bool isFloat) { return isFloat ? v.f : double(v.i); }
inline Value valueOf(double number, bool isFloat) {
  Value v{0};
  if (isFloat) {
    v.f = number;
  } else {
    v.i = std::int64_t(number);
  }
  return v;
}

// Integer divisions that are defined for all operands: division by zero gives 0, and so does the remainder; the least
// number divided by -1 wraps. Lanes may compute such results as long as they don't use them; the instruction
// CheckOperand reports a use.
inline std::int64_t divide(std::int64_t x, std::int64_t y) {
  if (y == -1) return std::int64_t(0 - std::uint64_t(x));
  return y == 0 ? 0 : x / y;
}
inline std::int64_t modulo(std::int64_t x, std::int64_t y) { return y == 0 || y == -1 ? 0 : x % y; }
inline std::int64_t floorDivide(std::int64_t x, std::int64_t y) {
  return divide(x, y) - ((modulo(x, y) != 0) && ((x < 0) != (y < 0)));
}
inline std::int64_t floorModulo(std::int64_t x, std::int64_t y) {
  std::int64_t r = modulo(x, y);
  return r != 0 && (r < 0) != (y < 0) ? r + y : r;
}
inline std::uint64_t divideUnsigned(std::uint64_t x, std::uint64_t y) { return y == 0 ? 0 : x / y; }
inline std::uint64_t moduloUnsigned(std::uint64_t x, std::uint64_t y) { return y == 0 ? 0 : x % y; }

// name, field of the operands, field of the result, result of x and y
#define LOOM_BINARY_OPERATIONS(X)                                                 \
  X(AddI32, i, i, std::int64_t(std::int32_t(x + y)))                              \
  X(SubI32, i, i, std::int64_t(std::int32_t(x - y)))                              \
  X(MulI32, i, i, std::int64_t(std::int32_t(x* y)))                               \
  X(AddI, i, i, std::int64_t(std::uint64_t(x) + std::uint64_t(y)))                \
  X(SubI, i, i, std::int64_t(std::uint64_t(x) - std::uint64_t(y)))                \
  X(MulI, i, i, std::int64_t(std::uint64_t(x) * std::uint64_t(y)))                \
  X(DivI, i, i, divide(x, y))                                                     \
  X(ModI, i, i, modulo(x, y))                                                     \
  X(DivU, i, i, std::int64_t(divideUnsigned(std::uint64_t(x), std::uint64_t(y)))) \
  X(ModU, i, i, std::int64_t(moduloUnsigned(std::uint64_t(x), std::uint64_t(y)))) \
  X(MinU, i, i, std::uint64_t(x) < std::uint64_t(y) ? x : y)                      \
  X(MaxU, i, i, std::uint64_t(x) < std::uint64_t(y) ? y : x)                      \
  X(LtU, i, i, std::int64_t(std::uint64_t(x) < std::uint64_t(y)))                 \
  X(LeU, i, i, std::int64_t(std::uint64_t(x) <= std::uint64_t(y)))                \
  X(GtU, i, i, std::int64_t(std::uint64_t(x) > std::uint64_t(y)))                 \
  X(GeU, i, i, std::int64_t(std::uint64_t(x) >= std::uint64_t(y)))                \
  X(ShiftRightU, i, i, std::int64_t(std::uint64_t(x) >> (y & 63)))                \
  X(FloorDivI, i, i, floorDivide(x, y))                                           \
  X(FloorModI, i, i, floorModulo(x, y))                                           \
  X(MinI, i, i, std::min(x, y))                                                   \
  X(MaxI, i, i, std::max(x, y))                                                   \
  X(EqI, i, i, std::int64_t(x == y))                                              \
  X(NeI, i, i, std::int64_t(x != y))                                              \
  X(LtI, i, i, std::int64_t(x < y))                                               \
  X(LeI, i, i, std::int64_t(x <= y))                                              \
  X(GtI, i, i, std::int64_t(x > y))                                               \
  X(GeI, i, i, std::int64_t(x >= y))                                              \
  X(And, i, i, std::int64_t(x&& y))                                               \
  X(Or, i, i, std::int64_t(x || y))                                               \
  X(BitAnd, i, i, x& y)                                                           \
  X(BitOr, i, i, x | y)                                                           \
  X(BitXor, i, i, x ^ y)                                                          \
  X(ShiftLeft, i, i, std::int64_t(std::uint64_t(x) << (y & 63)))                  \
  X(ShiftRight, i, i, x >> (y & 63))                                              \
  X(AddF, f, f, x + y)                                                            \
  X(SubF, f, f, x - y)                                                            \
  X(MulF, f, f, x* y)                                                             \
  X(DivF, f, f, x / y)                                                            \
  X(ModF, f, f, std::fmod(x, y))                                                  \
  X(FloorDivF, f, f, std::floor(x / y))                                           \
  X(MinF, f, f, std::fmin(x, y))                                                  \
  X(MaxF, f, f, std::fmax(x, y))                                                  \
  X(PowF, f, f, std::pow(x, y))                                                   \
  X(Atan2, f, f, std::atan2(x, y))                                                \
  X(Hypot, f, f, std::hypot(x, y))                                                \
  X(CopySign, f, f, std::copysign(x, y))                                          \
  X(Ldexp, f, f, std::ldexp(x, int(y)))                                           \
  X(NextAfterSingle, f, f, double(std::nextafter(float(x), float(y))))            \
  X(NextAfter, f, f, std::nextafter(x, y))                                        \
  X(EqF, f, i, std::int64_t(x == y))                                              \
  X(NeF, f, i, std::int64_t(x != y))                                              \
  X(LtF, f, i, std::int64_t(x < y))                                               \
  X(LeF, f, i, std::int64_t(x <= y))                                              \
  X(GtF, f, i, std::int64_t(x > y))                                               \
  X(GeF, f, i, std::int64_t(x >= y))

// name, field of the operand, field of the result, result of x; `imm` is the instruction's constant: the number of bits
// of an integer's dtype (WrapSigned, WrapUnsigned, PopulationCount, LeadingZeros), or a FloatFormat (RoundTo, BitsOf,
// FloatOf)
#define LOOM_UNARY_OPERATIONS(X)                                                                       \
  X(Not, i, i, std::int64_t(!x))                                                                       \
  X(BitNot, i, i, ~x)                                                                                  \
  X(AbsI, i, i, x < 0 ? std::int64_t(-std::uint64_t(x)) : x)                                           \
  X(WrapSigned, i, i, std::int64_t(std::uint64_t(x) << (64 - imm)) >> (64 - imm))                      \
  X(WrapUnsigned, i, i, std::int64_t(std::uint64_t(x) << (64 - imm) >> (64 - imm)))                    \
  X(ToFloat, i, f, double(x))                                                                          \
  X(ToFloatU, i, f, double(std::uint64_t(x)))                                                          \
  X(ToInt32, f, i, saturated<std::int32_t>(x))                                                         \
  X(ToInt64, f, i, saturated<std::int64_t>(x))                                                         \
  X(ToUInt32, f, i, std::int64_t(saturated<std::uint32_t>(x)))                                         \
  X(ToUInt64, f, i, std::int64_t(saturated<std::uint64_t>(x)))                                         \
  X(RoundTo, f, f, roundTo(x, FloatFormat(imm)))                                                       \
  X(BitsOf, f, i, bitsOf(x, FloatFormat(imm)))                                                         \
  X(FloatOf, i, f, floatOf(x, FloatFormat(imm)))                                                       \
  X(PopulationCount, i, i, std::int64_t(std::popcount(std::uint64_t(x) << (64 - imm))))                \
  X(LeadingZeros, i, i, std::min<std::int64_t>(imm, std::countl_zero(std::uint64_t(x) << (64 - imm)))) \
  X(IsNan, f, i, std::int64_t(std::isnan(x)))                                                          \
  X(IsInf, f, i, std::int64_t(std::isinf(x)))                                                          \
  X(IsFinite, f, i, std::int64_t(std::isfinite(x)))                                                    \
  X(ToBoolF, f, i, std::int64_t(x != 0))                                                               \
  X(ToBoolI, i, i, std::int64_t(x != 0))                                                               \
  X(AbsF, f, f, std::fabs(x))                                                                          \
  X(Exp, f, f, std::exp(x))                                                                            \
  X(Exp2, f, f, std::exp2(x))                                                                          \
  X(Log, f, f, std::log(x))                                                                            \
  X(Log2, f, f, std::log2(x))                                                                          \
  X(Exp10, f, f, std::pow(10.0, x))                                                                    \
  X(Log10, f, f, std::log10(x))                                                                        \
  X(Log1p, f, f, std::log1p(x))                                                                        \
  X(Sqrt, f, f, std::sqrt(x))                                                                          \
  X(Rsqrt, f, f, 1 / std::sqrt(x))                                                                     \
  X(Sin, f, f, std::sin(x))                                                                            \
  X(Cos, f, f, std::cos(x))                                                                            \
  X(Tan, f, f, std::tan(x))                                                                            \
  X(Acos, f, f, std::acos(x))                                                                          \
  X(Acosh, f, f, std::acosh(x))                                                                        \
  X(Asin, f, f, std::asin(x))                                                                          \
  X(Asinh, f, f, std::asinh(x))                                                                        \
  X(Atan, f, f, std::atan(x))                                                                          \
  X(Atanh, f, f, std::atanh(x))                                                                        \
  X(Cosh, f, f, std::cosh(x))                                                                          \
  X(Sinh, f, f, std::sinh(x))                                                                          \
  X(Tanh, f, f, std::tanh(x))                                                                          \
  X(Erf, f, f, std::erf(x))                                                                            \
  X(Sigmoid, f, f, 1 / (1 + std::exp(-x)))                                                             \
  X(Floor, f, f, std::floor(x))                                                                        \
  X(Ceil, f, f, std::ceil(x))                                                                          \
  X(Trunc, f, f, std::trunc(x))                                                                        \
  X(Round, f, f, std::round(x))                                                                        \
  X(NearbyInt, f, f, std::nearbyint(x))

// The operations of the executor's bytecode. dst, a, b and c are registers of an instruction, imm is its constant.
enum class Op : std::uint8_t {
#define LOOM_NAME(name, from, to, result) name,
  LOOM_BINARY_OPERATIONS(LOOM_NAME) LOOM_UNARY_OPERATIONS(LOOM_NAME)
#undef LOOM_NAME
  // dst ← imm (the bits of the double for a float); dst ← a ? b : c; dst ← a
  Constant,
  Select,
  Copy,
// Operations of the executor alone, which `apply` doesn't compute (control.h).
#define LOOM_NAME(name, handler) name,
  LOOM_CONTROL_OPERATIONS(LOOM_NAME)
#undef LOOM_NAME
};

// Returns the value of one operation: op(a, b) for a binary one, op(a) for a unary one with the constant `imm`, a ? b :
// c for Select, a for Copy, imm for Constant; 0 for any other.
inline Value apply(Op op, Value a, Value b, Value c, std::int64_t imm) {
  Value r{0};
  switch (op) {
#define LOOM_CASE(name, from, to, result)   \
  case Op::name: {                          \
    [[maybe_unused]] const auto x = a.from; \
    const auto y = b.from;                  \
    r.to = result;                          \
    break;                                  \
  }
    LOOM_BINARY_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
#define LOOM_CASE(name, from, to, result) \
  case Op::name: {                        \
    const auto x = a.from;                \
    r.to = result;                        \
    break;                                \
  }
    LOOM_UNARY_OPERATIONS(LOOM_CASE)
#undef LOOM_CASE
    case Op::Select: r = a.i ? b : c; break;
    case Op::Copy: r = a; break;
    case Op::Constant: r.i = imm; break;
    default: break;
  }
  return r;
}

}  // namespace loom::exec
