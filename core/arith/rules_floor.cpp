// x // y and x % y, which round toward negative infinity
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

Expr Rewriter::floorDivVectorRules(const Expr& e) {
  Any x, y, b1;
  Const c1, c2;
  Lanes lanes;
  RULE(floordiv(broadcast(x, lanes), broadcast(y, lanes)), broadcast(floordiv(x, y), lanes));
  if (!floordiv(ramp(b1, c1, lanes), broadcast(c2, lanes)).match(e) || *c2 == 0) return nullptr;
  if (*c1 % *c2 == 0) return ramp(floordiv(b1, c2), floordiv(c1, c2), lanes).build();
  // All lanes have one quotient: b1 is a multiple of the divisor, or the lanes stay within one step of b1.
  ModularSet base = modularSetOf(s_, *b1);
  std::int64_t last = base.base + (*lanes - 1) * *c1;
  if (floorDiv(base.base, *c2) != floorDiv(last, *c2)) return nullptr;
  bool within = base.coeff != 0 && *c2 % base.coeff == 0 && last < base.coeff;
  if (base.coeff % *c2 == 0 || within) return broadcast(floordiv(b1, c2), lanes).build();
  return nullptr;
}

Expr Rewriter::floorDivRules(const Expr& e) {
  if (e->dtype.lanes > 1)
    if (Expr r = floorDivVectorRules(e)) return r;
  if (!isIndexType(e->dtype)) return e;
  Any x, y, z;
  Const c1, c2, c3;
  auto divides = [&] { return *c2 > 0 && *c1 % *c2 == 0; };
  auto floorDivBy = [](const Expr& a, const Expr& b) { return make(ExprKind::FloorDiv, a, b); };

  RULE_IF(floordiv(floordiv(x, c1), c2), floordiv(x, c1 * c2), *c1 > 0 && *c2 > 0);
  RULE_IF(floordiv(floordiv(x, c1) + c2, c3), floordiv(x + c1 * c2, c1 * c3), *c1 > 0 && *c3 > 0);

  y.reset();
  if (floordiv(x * c1 + y, c2).match(e) || floordiv(x * c1, c2).match(e) || floordiv(y + x * c1, c2).match(e)) {
    Expr divisor = c2.build(), zero = constantOf(e->dtype, 0);
    Expr rest = y.matched() ? *y : zero;
    Expr restMod = make(ExprKind::FloorMod, rest, divisor);
    // (x * c1 + y) // c2 = x * (c1 // c2) + y // c2 + (x * (c1 % c2) + y % c2) // c2
    Expr residue = floorDivBy(
        make(ExprKind::Add, make(ExprKind::Mul, *x, constantOf(e->dtype, floorMod(*c1, *c2))), restMod), divisor);
    Expr restDiv = floorDivBy(rest, divisor);
    if (proveEqual(restDiv, 0)) restDiv = zero;
    ConstIntBound bound = boundOf(s_, residue);
    if (bound.min == bound.max) {
      Expr multiple = make(ExprKind::Mul, *x, constantOf(e->dtype, floorDiv(*c1, *c2)));
      return make(ExprKind::Add, multiple, make(ExprKind::Add, restDiv, constantOf(e->dtype, bound.max)));
    }
    if (*c1 > 0 && *c2 > 0 && *c2 % *c1 == 0 && proveLess(restMod, *c1))
      return make(ExprKind::Add, floorDivBy(*x, constantOf(e->dtype, floorDiv(*c2, *c1))), restDiv);
  }

  RULE(floordiv(x, x), like(x, 1));
  RULE(oneOf(floordiv(x * c1, x), floordiv(c1 * x, x)), c1);
  RULE(floordiv(floormod(x, 2) + 1, 2), floormod(x, 2));

  // two operands
  RULE_IF(floordiv(min(x * c1, y), c2), min(x * floordiv(c1, c2), floordiv(y, c2)), divides());
  RULE_IF(floordiv(max(x * c1, y), c2), max(x * floordiv(c1, c2), floordiv(y, c2)), divides());
  RULE_IF(floordiv(min(y, x * c1), c2), min(floordiv(y, c2), x * floordiv(c1, c2)), divides());
  RULE_IF(floordiv(max(y, x * c1), c2), max(floordiv(y, c2), x * floordiv(c1, c2)), divides());

  // three operands
  RULE_IF(floordiv(x * c1 + y + z, c2), x * floordiv(c1, c2) + floordiv(y + z, c2), divides());
  RULE_IF(floordiv(x * c1 + y + z, c2), floordiv(x, floordiv(c2, c1)),
          *c1 > 0 && *c2 > 0 && *c2 % *c1 == 0 && proveEqual(floordiv(y + z, c1).build(), 0));
  RULE_IF(oneOf(floordiv(x * c1 - y + z, c2), floordiv(x * c1 + z - y, c2)), x * floordiv(c1, c2) + floordiv(z - y, c2),
          divides());
  RULE_IF(floordiv(y + x * c1 + z, c2), x * floordiv(c1, c2) + floordiv(y + z, c2), divides());
  RULE_IF(floordiv(x + c1, c2), floordiv(x, c2) + floordiv(c1, c2), divides());
  RULE_IF(floordiv(x * c1, x * c2), floordiv(c1, c2), *c2 > 0);

  RULE_IF(oneOf(floordiv(x + y, x), floordiv(y + x, x)), floordiv(y, x) + 1, proveGreaterEqual(*x, 0));
  RULE_IF(oneOf(floordiv((x + y) + z, x), floordiv((y + x) + z, x), floordiv(y + (z + x), x), floordiv(y + (x + z), x)),
          floordiv(y + z, x) + 1, proveGreaterEqual(*x, 0));
  RULE_IF(oneOf(floordiv(x * y, y), floordiv(y * x, y)), x, proveGreaterEqual(*y, 0));
  RULE_IF(oneOf(floordiv(x * z + y, z), floordiv(z * x + y, z)), x + floordiv(y, z), proveGreaterEqual(*z, 0));
  RULE_IF(oneOf(floordiv(y + x * z, z), floordiv(y + z * x, z)), floordiv(y, z) + x, proveGreaterEqual(*z, 0));
  RULE_IF(floordiv(x * z * c1 + y, z * c1), x + floordiv(y, z * c1), proveGreaterEqual((z * c1).build(), 0));
  RULE_IF(floordiv(x - floormod(x, c1), c1), floordiv(x, c1), *c1 != 0);
  return e;
}

Expr Rewriter::floorModVectorRules(const Expr& e) {
  Any x, y, b1;
  Const c1, c2;
  Lanes lanes;
  RULE(floormod(broadcast(x, lanes), broadcast(y, lanes)), broadcast(floormod(x, y), lanes));
  if (!floormod(ramp(b1, c1, lanes), broadcast(c2, lanes)).match(e) || *c2 == 0) return nullptr;
  if (*c1 % *c2 == 0) return broadcast(floormod(b1, c2), lanes).build();
  ModularSet base = modularSetOf(s_, *b1);
  std::int64_t last = base.base + (*lanes - 1) * *c1;
  Given start(constantOf((*b1)->dtype, floorMod(base.base, *c2)));
  if (floorDiv(base.base, *c2) == floorDiv(last, *c2)) {
    if (base.coeff % *c2 == 0) return ramp(start, c1, lanes).build();
    if (base.coeff != 0 && *c2 % base.coeff == 0 && last < base.coeff) return ramp(floormod(b1, c2), c1, lanes).build();
  }
  if (base.coeff % *c2 == 0) return floormod(ramp(start, c1, lanes), broadcast(c2, lanes)).build();
  return nullptr;
}

Expr Rewriter::floorModRules(const Expr& e) {
  if (e->dtype.lanes > 1)
    if (Expr r = floorModVectorRules(e)) return r;
  if (!isIndexType(e->dtype)) return e;
  Any x, y, z;
  Const c1, c2;
  RULE_IF(floormod(x * c1, c2), floormod(x * floormod(c1, c2), c2), *c2 != 0);
  RULE_IF(floormod(x * c1 + y, c2), floormod(x, floordiv(c2, c1)) * c1 + y,
          *c1 > 0 && *c2 > 0 && *c2 % *c1 == 0 && proveEqual(floordiv(y, c1).build(), 0));
  RULE_IF(floormod(x * c1 + y, c2), floormod(y, c2), *c2 > 0 && *c1 % *c2 == 0);
  RULE_IF(floormod(x + c1, c2), floormod(x + floormod(c1, c2), c2), *c2 > 0 && (*c1 >= *c2 || *c1 < 0));
  RULE_IF(floormod(x + y * c1, c2), floormod(x + y * floormod(c1, c2), c2), *c2 > 0);
  RULE_IF(floormod(x * c1, x * c2), x * floormod(c1, c2), *c2 != 0);
  RULE(oneOf(floormod(x * y, y), floormod(y * x, y)), like(y, 0));
  RULE_IF(oneOf(floormod(x + floormod(z, y), y), floormod(floormod(z, y) + x, y)), like(x, 0),
          proveEqual(floormod(x + z, y).build(), 0));
  RULE_IF(oneOf(floormod(x - floormod(x, z), y), floormod(floormod(x, z) - x, y)), like(x, 0),
          proveEqual((y - z).build(), 0) || proveEqual((y + z).build(), 0));
  RULE_IF(floormod(x * z * c1 + y, z * c1), floormod(y, z * c1), proveGreaterEqual((z * c1).build(), 0));
  if (floormod(x, c1).match(e) && *c1 > 0) {
    ModularSet set = modularSetOf(s_, *x);
    if (set.coeff % *c1 == 0) return like(x, floorMod(set.base, *c1)).build();
    ConstIntBound bound = boundOf(s_, *x);
    if (bound.min >= 0 && bound.max < *c1) return *x;
  }
  return e;
}

}  // namespace loom::arith
