// x * y, and division and remainder that round toward zero
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

Expr Rewriter::mulRules(const Expr& e) {
  Any x, y, b1, s1;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    FloatConst f;
    RULE(broadcast(x, lanes) * broadcast(y, lanes), broadcast(x * y, lanes));
    RULE(oneOf(ramp(b1, s1, lanes) * broadcast(x, lanes), broadcast(x, lanes) * ramp(b1, s1, lanes)),
         ramp(b1 * x, s1 * x, lanes));
    RULE_IF(broadcast(f, lanes) * x, broadcast(f, lanes), *f == 0);
  }
  if (isIndexType(e->dtype)) {
    RULE((x + c1) * c2, x * c2 + c1 * c2);
    RULE((x * c1) * c2, x * (c1 * c2));
    RULE(oneOf(min(x, y) * max(x, y), max(x, y) * min(x, y)), x * y);
    RULE_IF(floordiv(x - floormod(x, c2), c1) * c1, x - floormod(x, c2), *c1 == -*c2);
    RULE_AGAIN(x * (c1 * y), (x * y) * c1);
    RULE_AGAIN(c1 * x, x * c1);
    RULE_AGAIN_IF((x - y) * c1, (y - x) * (0 - c1), *c1 < 0);
  }
  return e;
}

Expr Rewriter::truncDivVectorRules(const Expr& e) {
  Any x, y, b1;
  Const c1, c2;
  Lanes lanes;
  RULE(truncdiv(broadcast(x, lanes), broadcast(y, lanes)), broadcast(truncdiv(x, y), lanes));
  if (!truncdiv(ramp(b1, c1, lanes), broadcast(c2, lanes)).match(e) || *c2 == 0) return nullptr;
  if (*c1 % *c2 == 0) return ramp(truncdiv(b1, c2), truncdiv(c1, c2), lanes).build();
  if (!proveGreaterEqual(*b1, 0)) return nullptr;
  ModularSet base = modularSetOf(s_, *b1);
  bool sameLane = base.base / *c2 == (base.base + (*lanes - 1) * *c1) / *c2;
  if (base.coeff % *c2 == 0 && sameLane) return broadcast(truncdiv(b1, c2), lanes).build();
  return nullptr;
}

// Truncation is not monotonic around 0: most rules need operands that are known to be non-negative.
Expr Rewriter::truncDivRules(const Expr& e) {
  if (e->dtype.lanes > 1)
    if (Expr r = truncDivVectorRules(e)) return r;
  if (!isIndexType(e->dtype)) return e;
  Any x, y, z;
  Const c1, c2, c3;
  auto positive = [this](const auto&... p) { return (proveGreaterEqual(p.build(), 0) && ...); };
  auto divides = [&] { return *c1 >= 0 && *c2 > 0 && *c1 % *c2 == 0; };

  RULE_IF(truncdiv(truncdiv(x, c1), c2), truncdiv(x, c1 * c2), *c1 > 0 && *c2 > 0);
  RULE_IF(truncdiv(truncdiv(x, c1) + c2, c3), truncdiv(x + c1 * c2, c1 * c3),
          *c1 > 0 && *c2 >= 0 && *c3 > 0 && positive(x));
  if (truncdiv(x * c1, c2).match(e) && *c1 > 0 && *c2 > 0) {
    if (*c1 % *c2 == 0) return (x * truncdiv(c1, c2)).build();
    if (*c2 % *c1 == 0) return truncdiv(x, truncdiv(c2, c1)).build();
  }
  RULE(truncdiv(x, x), like(x, 1));
  RULE(oneOf(truncdiv(x * c1, x), truncdiv(c1 * x, x)), c1);

  // two operands
  RULE_IF(truncdiv(x * c1 + y, c2), x * truncdiv(c1, c2) + truncdiv(y, c2), divides() && positive(x, y));
  RULE_IF(truncdiv(min(x * c1, y), c2), min(x * truncdiv(c1, c2), truncdiv(y, c2)), divides() && positive(x, y));
  RULE_IF(truncdiv(max(x * c1, y), c2), max(x * truncdiv(c1, c2), truncdiv(y, c2)), divides() && positive(x, y));
  RULE_IF(truncdiv(y + x * c1, c2), truncdiv(y, c2) + x * truncdiv(c1, c2), divides() && positive(x, y));
  RULE_IF(truncdiv(min(y, x * c1), c2), min(truncdiv(y, c2), x * truncdiv(c1, c2)), divides() && positive(x, y));
  RULE_IF(truncdiv(max(y, x * c1), c2), max(truncdiv(y, c2), x * truncdiv(c1, c2)), divides() && positive(x, y));

  // three operands
  RULE_IF(truncdiv(x * c1 + y + z, c2), x * truncdiv(c1, c2) + truncdiv(y + z, c2), divides() && positive(x, y + z));
  RULE_IF(truncdiv(x * c1 - y + z, c2), x * truncdiv(c1, c2) + truncdiv(z - y, c2), divides() && positive(x, z - y));
  RULE_IF(truncdiv(x * c1 + y - z, c2), x * truncdiv(c1, c2) + truncdiv(y - z, c2), divides() && positive(x, y - z));
  RULE_IF(truncdiv(y + x * c1 + z, c2), x * truncdiv(c1, c2) + truncdiv(y + z, c2),
          *c1 > 0 && divides() && positive(x, y + z));
  RULE_IF(truncdiv(x + c1, c2), truncdiv(x, c2) + truncdiv(c1, c2), *c1 > 0 && divides() && positive(x));

  RULE_IF(oneOf(truncdiv(x + y, x), truncdiv(y + x, x)), truncdiv(y, x) + 1, positive(x, y));
  RULE_IF(oneOf(truncdiv((x + y) + z, x), truncdiv((y + x) + z, x), truncdiv(y + (z + x), x), truncdiv(y + (x + z), x)),
          truncdiv(y + z, x) + 1, positive(x, y + z));
  RULE_IF(oneOf(truncdiv(x * y, y), truncdiv(y * x, y)), x, positive(x, y));
  RULE_IF(oneOf(truncdiv(x * z + y, z), truncdiv(z * x + y, z)), x + truncdiv(y, z), positive(x, y, z));
  RULE_IF(oneOf(truncdiv(y + x * z, z), truncdiv(y + z * x, z)), truncdiv(y, z) + x, positive(x, y, z));
  return e;
}

Expr Rewriter::truncModRules(const Expr& e) {
  Any x, y, b1;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(truncmod(broadcast(x, lanes), broadcast(y, lanes)), broadcast(truncmod(x, y), lanes));
    if (truncmod(ramp(b1, c1, lanes), broadcast(c2, lanes)).match(e) && *c2 != 0) {
      if (*c1 % *c2 == 0) return broadcast(truncmod(b1, c2), lanes).build();
      if (proveGreaterEqual(*b1, 0)) {
        ModularSet base = modularSetOf(s_, *b1);
        if (base.coeff % *c2 == 0) {
          Given start(constantOf((*b1)->dtype, base.base % *c2));
          if (base.base / *c2 == (base.base + (*lanes - 1) * *c1) / *c2) return ramp(start, c1, lanes).build();
          return truncmod(ramp(start, c1, lanes), broadcast(c2, lanes)).build();
        }
      }
    }
  }
  if (!isIndexType(e->dtype)) return e;
  auto divides = [&] { return *c2 > 0 && *c1 % *c2 == 0; };
  RULE_IF(truncmod(x * c1, c2), like(x, 0), *c2 != 0 && *c1 % *c2 == 0);
  RULE_IF(truncmod(x * c1 + y, c2), truncmod(y, c2),
          divides() && proveGreaterEqual((x * c1).build(), 0) && proveGreaterEqual(*y, 0));
  RULE_IF(truncmod(x + c1, c2), truncmod(x, c2), *c1 >= 0 && divides() && proveGreaterEqual(*x, 0));
  RULE_IF(truncmod(x + y * c1, c2), truncmod(x, c2),
          divides() && proveGreaterEqual(*x, 0) && proveGreaterEqual((y * c1).build(), 0));
  RULE_AGAIN_IF(truncmod(x, c1), truncmod(x, 0 - c1), *c1 < 0);
  if (truncmod(x, c1).match(e)) {
    ModularSet set = modularSetOf(s_, *x);
    if (set.coeff % *c1 == 0 && *c1 > 0 && proveGreaterEqual(*x, 0)) return like(x, set.base % *c1).build();
  }
  return e;
}

}  // namespace loom::arith
