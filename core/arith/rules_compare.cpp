// ==, !=, <, <= and not
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

namespace {

Expr truth(const Expr& like, bool value) { return constantOf(like->dtype, value); }

struct Split {
  Expr symbol;
  std::int64_t offset;
};
// A constant on the left of a difference counts, too, and the symbol then keeps its sign: TVM's reading, kept.
Split splitConstant(const Expr& e) {
  Any x;
  Const c;
  if ((x + c).match(e)) return {*x, *c};
  if ((x - c).match(e)) return {*x, -*c};
  if ((c - x).match(e)) return {*x, *c};
  return {e, 0};
}

}  // namespace

Expr Rewriter::eqRules(const Expr& e) {
  Any x, y;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(broadcast(x, lanes) == broadcast(y, lanes), broadcast(x == y, lanes));
  }
  auto* n = ir::as<ir::BinaryNode>(e);
  Given yes(truth(e, true));
  if (isIndexType(n->a->dtype)) {
    Outcome o = compare(n->a, n->b);
    if (o == Outcome::EQ) return truth(e, true);
    if (o == Outcome::NE || o == Outcome::GT || o == Outcome::LT) return truth(e, false);
    RULE(c1 == x, x == c1);
    RULE(x - c1 == c2, x == c2 + c1);
    RULE(c1 - x == c2, x == c1 - c2);
    RULE(x + c1 == c2, x == c2 - c1);
    RULE_AGAIN(x * y == 0, x == 0 || y == 0);
    RULE(x == x, yes);
  } else {
    RULE_IF(x == x, yes, effectOf(*x) <= Effect::ReadState);
  }
  return e;
}

Expr Rewriter::neRules(const Expr& e) {
  auto* n = ir::as<ir::BinaryNode>(e);
  if (isIndexType(n->a->dtype)) {
    switch (compare(n->a, n->b)) {
      case Outcome::NE:
      case Outcome::GT:
      case Outcome::LT: return truth(e, true);
      case Outcome::EQ: return truth(e, false);
      case Outcome::GE: return ltRules(makeNode(ExprKind::LT, n->b, n->a));
      case Outcome::LE: return ltRules(makeNode(ExprKind::LT, n->a, n->b));
      default: break;
    }
  }
  return notRules(std::make_shared<ir::NotNode>(eqRules(makeNode(ExprKind::EQ, n->a, n->b))));
}

// not (b < a), and only then what bounds tell: so a <= b * x becomes a rounded quotient.
Expr Rewriter::leRules(const Expr& e) {
  auto* given = ir::as<ir::BinaryNode>(e);
  Expr r = notRules(std::make_shared<ir::NotNode>(ltRules(makeNode(ExprKind::LT, given->b, given->a))));
  auto* n = ir::asBinary(r, ExprKind::LE);
  if (!n || !isIndexType(n->a->dtype)) return r;
  switch (compare(n->a, n->b)) {
    case Outcome::LE:
    case Outcome::LT:
    case Outcome::EQ: return truth(r, true);
    case Outcome::GT: return truth(r, false);
    case Outcome::NE: return ltRules(makeNode(ExprKind::LT, n->a, n->b));
    case Outcome::GE: return eqRules(makeNode(ExprKind::EQ, n->a, n->b));
    default: return r;
  }
}

Expr Rewriter::ltRules(const Expr& e) {
  Any x, y, z, s1;
  Const c1;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(broadcast(x, lanes) < broadcast(y, lanes), broadcast(x < y, lanes));
    RULE(ramp(x, s1, lanes) < ramp(y, s1, lanes), broadcast(x < y, lanes));
  }
  auto* n = ir::as<ir::BinaryNode>(e);
  if (!isIndexType(n->a->dtype)) return e;
  Outcome o = compare(n->a, n->b);
  if (o == Outcome::LT) return truth(e, true);
  if (o == Outcome::EQ || o == Outcome::GT || o == Outcome::GE) return truth(e, false);

  // cancellation
  RULE(x + y < x + z, y < z);
  RULE(x + y < z + x, y < z);
  RULE(y + x < x + z, y < z);
  RULE(y + x < z + x, y < z);
  RULE(y - x < z - x, y < z);
  RULE(x - y < x - z, z < y);
  RULE(x < x + z, 0 < z);
  RULE(x < z + x, 0 < z);
  RULE(x < x - z, z < 0);
  RULE_IF(x * c1 < y * c1, x<y, *c1> 0);
  RULE_IF(x * c1 < y * c1, y < x, *c1 < 0);
  if (Expr r = ltConstantRules(e)) return r;
  if (Expr r = ltNormalRules(e)) return r;
  return e;
}

// A scaled or divided side against a constant, and x against what its own division leaves.
Expr Rewriter::ltConstantRules(const Expr& e) {
  Any x, y;
  Const c1, c2;
  RULE_IF(x * c2 < c1, x<truncdiv(c1 - 1, c2) + 1, *c1> 0 && *c2 > 0);
  RULE_IF(x * c2 < c1, x < truncdiv(c1, c2), *c1 <= 0 && *c2 > 0);
  RULE_IF(x * c2<c1, truncdiv(c1 - 1, c2) - 1 < x, *c1> 0 && *c2 < 0);
  RULE_IF(x * c2 < c1, truncdiv(c1, c2) < x, *c1 <= 0 && *c2 < 0);
  RULE_IF(c1 < x * c2, truncdiv(c1 + 1, c2) - 1 < x, *c1 < 0 && *c2 > 0);
  RULE_IF(c1 < x * c2, truncdiv(c1, c2) < x, *c1 >= 0 && *c2 > 0);
  RULE_IF(c1 < x * c2, x < truncdiv(c1 + 1, c2) + 1, *c1 < 0 && *c2 < 0);
  RULE_IF(c1 < x * c2, x < truncdiv(c1, c2), *c1 >= 0 && *c2 < 0);

  RULE_IF(truncdiv(x, c1) < c2, x<c1 * c2, *c1> 0 && *c2 > 0);
  RULE_IF(truncdiv(x, c1) < c2, x<c1*(c2 - 1) + 1, *c1> 0 && *c2 <= 0);
  RULE_IF(c1 < truncdiv(x, c2), (c1 + 1) * c2 - 1 < x, *c1 >= 0 && *c2 > 0);
  RULE_IF(c1 < truncdiv(x, c2), c1 * c2 < x, *c1 < 0 && *c2 > 0);
  RULE_IF(truncdiv(x, c1) * c1<x, 0 < truncmod(x, c1), *c1> 0);
  RULE_IF(truncdiv(x, c1) * c1<x + y, 0 < truncmod(x, c1) + y, *c1> 0);
  RULE_IF(truncdiv(x, c1) * c1 < x - y, y<truncmod(x, c1), *c1> 0);
  RULE_IF(truncdiv(x + c2, c1) * c1 < x, c2<truncmod(x + c2, c1), *c1> 0);
  RULE_IF(truncdiv(x + c2, c1) * c1 < x + y, c2<truncmod(x + c2, c1) + y, *c1> 0);
  RULE_IF(truncdiv(x + c2, c1) * c1 < x - y, y<truncmod(x + c2, c1) + (0 - c2), *c1> 0);

  RULE_IF(floordiv(x, c1) < c2, x<c1 * c2, *c1> 0);
  RULE_IF(c1<floordiv(x, c2), (c1 + 1) * c2 - 1 < x, *c2> 0);
  RULE_IF(floordiv(x, c1) * c1<x, 0 < floormod(x, c1), *c1> 0);
  RULE_IF(floordiv(x, c1) * c1<x + y, 0 < floormod(x, c1) + y, *c1> 0);
  RULE_IF(floordiv(x, c1) * c1 < x - y, y<floormod(x, c1), *c1> 0);
  RULE_IF(floordiv(x + c2, c1) * c1 < x, c2<floormod(x + c2, c1), *c1> 0);
  RULE_IF(floordiv(x + c2, c1) * c1 < x + y, c2<floormod(x + c2, c1) + y, *c1> 0);
  RULE_IF(floordiv(x + c2, c1) * c1 < x - y, y<floormod(x + c2, c1) + (0 - c2), *c1> 0);
  return nullptr;
}

// Extremes split into conjunctions, constants move to one side, common factors are divided out.
Expr Rewriter::ltNormalRules(const Expr& e) {
  Any x, y, z;
  Const c1, c2;
  RULE_AGAIN(min(x, y) < z, x < z || y < z);
  RULE_AGAIN(max(x, y) < z, x < z && y < z);
  RULE_AGAIN(z < min(x, y), z < x && z < y);
  RULE_AGAIN(z < max(x, y), z < x || z < y);

  RULE_AGAIN(oneOf(c1 < x + c2, c1 - x < c2), c1 - c2 < x);
  RULE_AGAIN(oneOf(c1 < c2 - x, x + c1 < c2), x < c2 - c1);
  RULE_AGAIN(c1 < x - c2, c1 + c2 < x);
  RULE_AGAIN(x - c2 < c1, x < c1 + c2);
  RULE_AGAIN(x < c1 - y, x + y < c1);
  RULE_AGAIN(c1 - y < x, c1 < x + y);
  RULE_AGAIN(x < c1 + y, x - y < c1);
  RULE_AGAIN(c1 + y < x, c1 < x - y);

  auto* n = ir::as<ir::BinaryNode>(e);
  Split l = splitConstant(n->a), r = splitConstant(n->b);
  if (l.offset != 0 || r.offset != 0) {
    std::int64_t diff = r.offset - l.offset;
    auto shifted = [](const Expr& a, std::int64_t by) { return make(ExprKind::Add, a, constantOf(a->dtype, by)); };
    if (diff == 0) return again(make(ExprKind::LT, l.symbol, r.symbol));
    if (diff == 1) return again(make(ExprKind::LE, l.symbol, r.symbol));
    if (diff < 0 && r.offset != 0) return again(make(ExprKind::LT, shifted(l.symbol, -diff), r.symbol));
    if (diff > 0 && l.offset != 0) return again(make(ExprKind::LT, l.symbol, shifted(r.symbol, diff)));
  }

  ModularSet a = modularSetOf(s_, n->a), b = modularSetOf(s_, n->b);
  std::int64_t factor = zeroAwareGcd(zeroAwareGcd(a.base, a.coeff), zeroAwareGcd(b.base, b.coeff));
  if (factor <= 1) return nullptr;
  Expr divisor = constantOf(n->a->dtype, factor);
  return again(make(ExprKind::LT, make(ExprKind::FloorDiv, n->a, divisor), make(ExprKind::FloorDiv, n->b, divisor)));
}

Expr Rewriter::notRules(const Expr& e) {
  Any x, y;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(!broadcast(x, lanes), broadcast(!x, lanes));
  }
  RULE(!(!x), x);
  RULE(!(x <= y), y < x);
  RULE(!(x >= y), x < y);
  RULE(!(x < y), y <= x);
  RULE(!(x > y), x <= y);
  RULE(!(x == y), x != y);
  RULE(!(x != y), x == y);
  RULE_AGAIN(!(x || y), (!x) && (!y));
  RULE_AGAIN(!(x && y), (!x) || (!y));
  return e;
}

}  // namespace loom::arith
