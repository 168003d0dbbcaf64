// Interval arithmetic: one rule per operator.
#include <numeric>
#include <stdexcept>

#include "core/arith/interval.h"

namespace loom::arith {
namespace {

using ir::ExprKind;

// Both ends through f; an infinite end stays infinite.
template <class F>
IntSet ends(const Expr& min, const Expr& max, F f) {
  return IntSet::interval(min ? f(min) : nullptr, max ? f(max) : nullptr);
}

IntSet add(const IntSet& a, const IntSet& b) {
  auto sum = [](const Expr& x, const Expr& y) { return x && y ? x + y : nullptr; };
  return IntSet::interval(sum(a.min(), b.min()), sum(a.max(), b.max()));
}

IntSet subtract(const IntSet& a, const IntSet& b) {
  auto difference = [](const Expr& x, const Expr& y) { return x && y ? x - y : nullptr; };
  return IntSet::interval(difference(a.min(), b.max()), difference(a.max(), b.min()));
}

// a `op` b for a point b, where op is monotonic in a: rising for b >= 0, falling for b < 0. The ends swap when the sign
// is negative and are chosen by a Select when it is unknown.
template <class Op>
IntSet monotonic(const IntSet& a, const Expr& b, Analyzer& analyzer, Op op) {
  if (ir::isConst(b, 1)) return a;
  auto apply = [&](const Expr& x) { return op(x, b); };
  if (analyzer.canProveGreaterEqual(b, 0)) return ends(a.min(), a.max(), apply);
  if (analyzer.canProveGreaterEqual(ir::negate(b), 1)) return ends(a.max(), a.min(), apply);
  if (!a.min() || !a.max()) return IntSet::everything();
  auto positive = ir::ge(b, ir::zero(b->dtype.element()));
  auto low = apply(a.min()), high = apply(a.max());
  return IntSet::interval(ir::select(positive, low, high), ir::select(positive, high, low));
}

IntSet multiply(IntSet a, IntSet b, Analyzer& analyzer) {
  if (a.isPoint()) std::swap(a, b);
  if (!b.isPoint()) return IntSet::everything();
  if (ir::isConst(b.pointValue(), 0)) return b;
  return monotonic(a, b.pointValue(), analyzer, [](const Expr& x, const Expr& y) { return x * y; });
}

void refuseZero(const Expr& divisor) {
  if (ir::isConst(divisor, 0)) throw std::domain_error("interval division by zero");
}

IntSet divide(ExprKind kind, const IntSet& a, const IntSet& b, Analyzer& analyzer) {
  if (!b.isPoint()) return IntSet::everything();
  refuseZero(b.pointValue());
  return monotonic(a, b.pointValue(), analyzer, [kind](const Expr& x, const Expr& y) { return ir::fold(kind, x, y); });
}

// Anything between -(|divisor| - 1) and |divisor| - 1.
IntSet remaindersOfUnknownSign(const Expr& divisor) {
  auto* value = ir::asInt(divisor);
  Expr size = value ? ir::intImm(std::abs(value->value), divisor->dtype)
                    : ir::select(ir::ge(divisor, ir::zero(divisor->dtype)), divisor, ir::negate(divisor));
  auto bound = size - 1;
  return IntSet::interval(ir::negate(bound), bound);
}

IntSet truncatedRemainder(const IntSet& b, Analyzer& analyzer) {
  if (!b.isPoint()) return IntSet::everything();
  auto& divisor = b.pointValue();
  refuseZero(divisor);
  if (!analyzer.canProveGreaterEqual(divisor, 0)) return remaindersOfUnknownSign(divisor);
  return IntSet::interval(ir::zero(divisor->dtype), divisor - 1);
}

// Within one period the remainder is a difference:  [8, 11] % 16  →  [8, 11].
IntSet floorRemainder(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
  if (!b.isPoint()) return IntSet::everything();
  auto& divisor = b.pointValue();
  refuseZero(divisor);
  if (!analyzer.canProveGreaterEqual(divisor, 0)) return remaindersOfUnknownSign(divisor);
  if (ir::asInt(divisor) && a.min() && a.max()) {
    auto last = ir::floordiv(a.max(), divisor), first = ir::floordiv(a.min(), divisor);
    if (analyzer.canProve(ir::eq(last, first)))
      return IntSet::interval(a.min() - divisor * first, a.max() - divisor * first);
  }
  return IntSet::interval(ir::zero(divisor->dtype), divisor - 1);
}

}  // namespace

IntSet combine(const ir::BinaryNode& op, IntSet a, IntSet b, Analyzer& analyzer) {
  if (a.isPoint() && b.isPoint()) return IntSet::point(ir::fold(op.kind, a.pointValue(), b.pointValue()));
  if (ir::isComparison(op.kind) || op.kind == ExprKind::And || op.kind == ExprKind::Or)
    return IntSet::interval(ir::boolImm(false), ir::boolImm(true));
  if (a.isNothing()) return a;
  if (b.isNothing()) return b;
  switch (op.kind) {
    case ExprKind::Add: return add(a, b);
    case ExprKind::Sub: return subtract(a, b);
    case ExprKind::Mul: return multiply(std::move(a), std::move(b), analyzer);
    case ExprKind::Div:
    case ExprKind::FloorDiv: return divide(op.kind, a, b, analyzer);
    case ExprKind::Mod: return truncatedRemainder(b, analyzer);
    case ExprKind::FloorMod: return floorRemainder(a, b, analyzer);
    case ExprKind::Max: return IntSet::interval(raised(a.min(), b.min()), upperOf(a.max(), b.max()));
    case ExprKind::Min: return IntSet::interval(lowerOf(a.min(), b.min()), lowered(a.max(), b.max()));
    default: return IntSet::everything();
  }
}

}  // namespace loom::arith
