#include <algorithm>
#include <bit>

#include "core/arith/constraints.h"
#include "core/arith/int_math.h"
#include "core/arith/pattern.h"
#include "core/arith/state.h"

namespace loom::arith {
namespace {

using namespace ir;

using Bound = ConstIntBound;

// A lower bound is never +inf nor an upper one -inf.
Bound makeBound(std::int64_t min, std::int64_t max) {
  return {min == kPosInf ? min - 1 : min, max == kNegInf ? max + 1 : max};
}

Bound everything(DType t) {
  if (!t.isIntegral() && !t.isBool()) return {kNegInf, kPosInf};
  bool isSigned = t.isInt();
  int valueBits = t.bits - (isSigned ? 1 : 0);
  Bound b;
  b.min = !isSigned ? 0 : valueBits >= 63 ? kNegInf : -(std::int64_t{1} << valueBits);
  b.max = valueBits >= 63 ? kPosInf : (std::int64_t{1} << valueBits) - 1;
  return b;
}

bool isInf(std::int64_t x) { return x == kPosInf || x == kNegInf; }

std::int64_t infAdd(std::int64_t x, std::int64_t y) {
  if (isInf(x)) return x;
  if (isInf(y)) return y;
  if (addOverflows(x, y, kNegInf, kPosInf)) return x > 0 ? kPosInf : kNegInf;
  return x + y;
}

std::int64_t infMul(std::int64_t x, std::int64_t y) {
  if (!mulOverflows(x, y, kNegInf, kPosInf)) return x * y;
  return (x > 0) == (y > 0) ? kPosInf : kNegInf;
}

std::int64_t infDiv(std::int64_t x, std::int64_t y) {
  if (isInf(x)) return y > 0 ? x : -x;
  return x / y;
}

std::int64_t infFloorDiv(std::int64_t x, std::int64_t y) {
  if (isInf(x)) return y > 0 ? x : -x;
  return floorDiv(x, y);
}

std::int64_t infShiftLeft(std::int64_t x, std::int64_t y) {
  if (isInf(x)) return x;
  int width = std::bit_width(static_cast<std::uint64_t>(x < 0 ? -x : x));
  return width + y < 64 ? x << y : kPosInf;
}

std::int64_t infShiftRight(std::int64_t x, std::int64_t y) { return isInf(x) ? x : x >> y; }

// The extremes of a function that is monotonic in each operand are at corners.
template <class F>
Bound corners(Bound a, Bound b, const F& f) {
  auto [min, max] = std::minmax({f(a.min, b.min), f(a.max, b.max), f(a.min, b.max), f(a.max, b.min)});
  return {min, max};
}

Bound unite(Bound a, Bound b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }
Bound meet(Bound a, Bound b) { return {std::max(a.min, b.min), std::min(a.max, b.max)}; }

// A valid program does not divide by zero: a divisor known to be >= 0 is >= 1.
Bound withoutZero(Bound divisor) {
  if (divisor.min == 0) divisor.min = 1;
  return divisor;
}

// The quotient is largest next to zero, where the divisor changes its sign.
template <class F>
Bound divide(Bound a, Bound b, DType t, const F& f) {
  if (b.min <= 0 && 0 <= b.max && t.isInt()) {
    Bound negative = b.min < 0 ? makeBound(b.min, -1) : everything(t);
    Bound positive = b.max > 0 ? makeBound(1, b.max) : everything(t);
    Bound n = corners(a, negative, f), p = corners(a, positive, f);
    return makeBound(std::min(n.min, p.min), std::max(n.max, p.max));
  }
  return corners(a, b, f);
}

class BoundEvaluator {
 public:
  explicit BoundEvaluator(AnalyzerState& s) : s_(s) {}

  Bound visit(const Expr& e) {
    Bound b = byKind(e);
    for (const KnownBound& known : s_.knownBounds)
      if (deepEqual(e, known.e)) b = meet(b, known.bound);
    return b;
  }

 private:
  Bound byKind(const Expr& e) {
    switch (e->kind) {
      case ExprKind::IntImm: {
        std::int64_t v = as<IntImmNode>(e)->value;
        return makeBound(v, v);
      }
      case ExprKind::Var: {
        auto* f = s_.factsOf(e.get());
        return f && f->bound ? *f->bound : everything(e->dtype);
      }
      case ExprKind::Ramp: {
        auto* r = as<RampNode>(e);
        Bound a = visit(r->base);
        Expr last = make(ExprKind::Mul, constantOf(r->stride->dtype, e->dtype.lanes - 1), r->stride);
        return unite(a, visit(make(ExprKind::Add, r->base, last)));
      }
      case ExprKind::Broadcast: return visit(as<BroadcastNode>(e)->value);
      case ExprKind::Cast: return meet(visit(as<CastNode>(e)->value), everything(e->dtype));
      case ExprKind::Select: return unite(visit(as<SelectNode>(e)->yes), visit(as<SelectNode>(e)->no));
      case ExprKind::Call: return call(as<CallNode>(e));
      case ExprKind::Let: return let(as<LetNode>(e));
      default: return isBinary(e->kind) && e->kind <= ExprKind::Max ? binary(as<BinaryNode>(e)) : everything(e->dtype);
    }
  }

  Bound binary(const BinaryNode* n) {
    Bound a = visit(n->a), b = visit(n->b);
    bool divides = n->kind >= ExprKind::Div && n->kind <= ExprKind::FloorMod;
    if (divides && b == Bound{0, 0}) return everything(n->dtype);
    switch (n->kind) {
      case ExprKind::Add: return {infAdd(a.min, b.min), infAdd(a.max, b.max)};
      case ExprKind::Sub: return {infAdd(a.min, -b.max), infAdd(a.max, -b.min)};
      case ExprKind::Mul: return corners(a, b, infMul);
      case ExprKind::Div: return divide(a, withoutZero(b), n->dtype, infDiv);
      case ExprKind::FloorDiv: return divide(a, withoutZero(b), n->dtype, infFloorDiv);
      case ExprKind::Mod:
      case ExprKind::FloorMod: return modulo(n, a, withoutZero(b));
      case ExprKind::Min: return {std::min(a.min, b.min), std::min(a.max, b.max)};
      default: return {std::max(a.min, b.min), std::max(a.max, b.max)};
    }
  }

  Bound modulo(const BinaryNode* n, Bound a, Bound b) {
    bool floor = n->kind == ExprKind::FloorMod;
    if (b.min <= 0) {
      if (!floor) return everything(n->dtype);
      std::int64_t low = infAdd(b.min, 1), high = infAdd(b.max, -1);
      return meet(makeBound(std::min<std::int64_t>(0, low), std::max<std::int64_t>(0, high)), everything(n->dtype));
    }
    std::int64_t cap = infAdd(b.max, -1);
    if (a.min >= 0) return a.max < b.min ? a : makeBound(0, std::min(a.max, cap));
    if (floor) return makeBound(0, cap);
    return makeBound(std::max(a.min, -cap), std::min(std::max<std::int64_t>(a.max, 0), cap));
  }

  Bound call(const CallNode* n) {
    if (n->args.size() != 2) return everything(n->dtype);
    if (n->op == "shift_right") return corners(visit(n->args[0]), visit(n->args[1]), infShiftRight);
    if (n->op == "shift_left") {
      Bound a = visit(n->args[0]), b = visit(n->args[1]);
      return a.min < 0 || b.min < 0 ? everything(n->dtype) : corners(a, b, infShiftLeft);
    }
    if (n->op != "bitwise_and") return everything(n->dtype);
    Bound a = visit(n->args[0]), b = visit(n->args[1]);
    if (a.min >= 0 && b.min >= 0) return makeBound(0, std::min(a.max, b.max));
    if (b.min >= 0) return makeBound(0, b.max);
    if (a.min >= 0) return makeBound(0, a.max);
    return everything(n->dtype);
  }

  Bound let(const LetNode* n) {
    auto* f = s_.factsOf(n->var.get());
    if (f && f->bound) return visit(n->body);
    Bound value = visit(n->value);
    s_.factsFor(n->var).bound = value;
    Bound body = visit(n->body);
    s_.factsFor(n->var).bound.reset();
    return body;
  }

  AnalyzerState& s_;
};

}  // namespace

ConstIntBound boundOf(AnalyzerState& state, const Expr& e) { return BoundEvaluator(state).visit(e); }

ConstIntBound boundOfRange(AnalyzerState& state, const Range& range) {
  Bound min = boundOf(state, range.min), extent = boundOf(state, range.extent);
  return {min.min, infAdd(min.max, infAdd(extent.max, -1))};
}

std::vector<KnownBound> boundsFrom(const Expr& condition) {
  using namespace pattern;
  std::vector<KnownBound> found;
  Any x;
  Const c;
  auto add = [&](std::int64_t min, std::int64_t max) {
    if (!isConstInt(*x)) found.push_back({*x, makeBound(min, max)});
  };
  forEachConjunct(condition, [&](const Expr& e) {
    if (!isComparison(e->kind)) return;
    if ((c <= x).match(e) || (x >= c).match(e)) {
      add(*c, kPosInf);
    } else if ((c < x).match(e) || (x > c).match(e)) {
      add(*c + 1, kPosInf);
    } else if ((x <= c).match(e)) {
      add(kNegInf, *c);
    } else if ((x < c).match(e) || (c > x).match(e)) {
      add(kNegInf, *c - 1);
    } else if ((x == c).match(e) || (c == x).match(e)) {
      add(*c, *c);
    }
  });
  return found;
}

}  // namespace loom::arith
