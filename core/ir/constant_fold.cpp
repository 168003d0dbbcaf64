#include "core/ir/constant_fold.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/ir/build.h"

namespace loom::ir {
namespace {

bool isIndex(DType t) { return t.isInt() && t.isScalar() && (t.bits == 32 || t.bits == 64); }

// The value wrapped to the dtype's width, as two's complement.
std::int64_t wrap(std::uint64_t value, DType t) {
  if (t.bits >= 64) return static_cast<std::int64_t>(value);
  value &= (std::uint64_t{1} << t.bits) - 1;
  if (!t.isInt()) return static_cast<std::int64_t>(value);
  std::uint64_t sign = std::uint64_t{1} << (t.bits - 1);
  return static_cast<std::int64_t>((value ^ sign) - sign);
}

// Exact for every pair but (min, -1), which wraps.
std::int64_t truncDivide(std::int64_t x, std::int64_t y) {
  return y == -1 ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x)) : x / y;
}
std::int64_t truncModulo(std::int64_t x, std::int64_t y) { return y == -1 ? 0 : x % y; }
std::int64_t floorModulo(std::int64_t x, std::int64_t y) {
  std::int64_t r = truncModulo(x, y);
  return r != 0 && ((r < 0) != (y < 0)) ? r + y : r;
}
std::int64_t floorDivide(std::int64_t x, std::int64_t y) {
  std::int64_t q = truncDivide(x, y);
  return truncModulo(x, y) != 0 && ((x < 0) != (y < 0)) ? q - 1 : q;
}

// Null for what is no comparison.
template <class T>
Expr foldComparison(ExprKind kind, T x, T y) {
  switch (kind) {
    case ExprKind::EQ: return boolImm(x == y);
    case ExprKind::NE: return boolImm(x != y);
    case ExprKind::LT: return boolImm(x < y);
    case ExprKind::LE: return boolImm(x <= y);
    case ExprKind::GT: return boolImm(x > y);
    case ExprKind::GE: return boolImm(x >= y);
    default: return nullptr;
  }
}

Expr foldIntegers(ExprKind kind, std::int64_t x, std::int64_t y, DType t) {
  auto ux = static_cast<std::uint64_t>(x), uy = static_cast<std::uint64_t>(y);
  auto wrapped = [&](std::uint64_t v) { return intImm(wrap(v, t), t); };
  bool division =
      kind == ExprKind::Div || kind == ExprKind::Mod || kind == ExprKind::FloorDiv || kind == ExprKind::FloorMod;
  if (division && y == 0) return nullptr;
  switch (kind) {
    case ExprKind::Add: return wrapped(ux + uy);
    case ExprKind::Sub: return t.isUInt() && x == 0 && y > 0 ? nullptr : wrapped(ux - uy);
    case ExprKind::Mul: return wrapped(ux * uy);
    case ExprKind::Div: return wrapped(static_cast<std::uint64_t>(truncDivide(x, y)));
    case ExprKind::FloorDiv: return wrapped(static_cast<std::uint64_t>(floorDivide(x, y)));
    case ExprKind::Mod: return isIndex(t) ? wrapped(static_cast<std::uint64_t>(truncModulo(x, y))) : nullptr;
    case ExprKind::FloorMod: return isIndex(t) ? wrapped(static_cast<std::uint64_t>(floorModulo(x, y))) : nullptr;
    case ExprKind::Min: return intImm(std::min(x, y), t);
    case ExprKind::Max: return intImm(std::max(x, y), t);
    default: return foldComparison(kind, x, y);
  }
}

// Arithmetic is folded in the operands' own precision, so only for float32 and float64.
template <class T>
Expr foldArithmetic(ExprKind kind, T x, T y, DType t) {
  switch (kind) {
    case ExprKind::Add: return floatImm(static_cast<double>(x + y), t);
    case ExprKind::Sub: return floatImm(static_cast<double>(x - y), t);
    case ExprKind::Mul: return floatImm(static_cast<double>(x * y), t);
    case ExprKind::Div: return y == 0 ? nullptr : floatImm(static_cast<double>(x / y), t);
    case ExprKind::FloorDiv: return y == 0 ? nullptr : floatImm(static_cast<double>(std::floor(x / y)), t);
    default: return nullptr;
  }
}

Expr foldFloats(ExprKind kind, double x, double y, DType t) {
  switch (kind) {
    case ExprKind::Min: return floatImm(std::min(x, y), t);
    case ExprKind::Max: return floatImm(std::max(x, y), t);
    default: break;
  }
  if (Expr compared = foldComparison(kind, x, y)) return compared;
  if (t.code != DType::Code::Float) return nullptr;
  if (t.bits == 32) return foldArithmetic(kind, static_cast<float>(x), static_cast<float>(y), t);
  if (t.bits == 64) return foldArithmetic(kind, x, y, t);
  return nullptr;
}

// The operand's constant value, for tests against 0 and 1.
std::optional<double> constantValue(const Expr& e) {
  if (auto* i = asInt(e)) return static_cast<double>(i->value);
  if (e->kind == ExprKind::FloatImm) return as<FloatImmNode>(e)->value;
  return std::nullopt;
}

// x + 0, x * 1 and the like, of which one operand is constant; min(x, x).
Expr foldIdentities(ExprKind kind, const Expr& a, const Expr& b) {
  auto x = constantValue(a), y = constantValue(b);
  if (kind == ExprKind::Min || kind == ExprKind::Max) return a == b ? a : nullptr;
  if (!x && !y) return nullptr;
  switch (kind) {
    case ExprKind::Add:
      if (x == 0.0) return b;
      return y == 0.0 ? a : nullptr;
    case ExprKind::Sub: return y == 0.0 ? a : nullptr;
    case ExprKind::Mul:
      if (x == 1.0) return b;
      if (x == 0.0) return a;
      if (y == 1.0) return a;
      return y == 0.0 ? b : nullptr;
    case ExprKind::Div:
    case ExprKind::FloorDiv:
      if (y == 0.0) return nullptr;
      return x == 0.0 || y == 1.0 ? a : nullptr;
    case ExprKind::Mod:
    case ExprKind::FloorMod:
      if (!isIndex(a->dtype) || y == 0.0) return nullptr;
      if (x == 0.0) return a;
      return y == 1.0 ? intImm(0, a->dtype) : nullptr;
    default: return nullptr;
  }
}

Expr foldLogic(ExprKind kind, const Expr& a, const Expr& b) {
  auto *x = asInt(a), *y = asInt(b);
  bool absorbing = kind == ExprKind::Or;  // the value that decides alone
  if (x) return (x->value != 0) == absorbing ? a : b;
  if (y) return (y->value != 0) == absorbing ? b : a;
  return nullptr;
}

}  // namespace

Expr foldConstants(ExprKind kind, const Expr& a, const Expr& b) {
  if (kind == ExprKind::And || kind == ExprKind::Or) return foldLogic(kind, a, b);
  if (asInt(a) && asInt(b)) return foldIntegers(kind, asInt(a)->value, asInt(b)->value, a->dtype);
  if (a->kind == ExprKind::FloatImm && b->kind == ExprKind::FloatImm) {
    auto folded = foldFloats(kind, as<FloatImmNode>(a)->value, as<FloatImmNode>(b)->value, a->dtype);
    if (folded) return folded;
  }
  return foldIdentities(kind, a, b);
}

}  // namespace loom::ir
