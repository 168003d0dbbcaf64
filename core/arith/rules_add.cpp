// x + y
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

Expr Rewriter::addRules(const Expr& e) {
  Any x, y, z, b1, b2, s1, s2;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    FloatConst f;
    RULE(ramp(b1, s1, lanes) + ramp(b2, s2, lanes), ramp(b1 + b2, s1 + s2, lanes));
    RULE(ramp(b1, s1, lanes) + broadcast(x, lanes), ramp(b1 + x, s1, lanes));
    RULE(broadcast(x, lanes) + ramp(b1, s1, lanes), ramp(x + b1, s1, lanes));
    RULE(broadcast(x, lanes) + broadcast(y, lanes), broadcast(x + y, lanes));
    RULE_IF(x + broadcast(f, lanes), x, *f == 0);
  }
  if (isIndexType(e->dtype)) {
    // cancellation
    RULE((x - y) + y, x);
    RULE(x + (y - x), y);
    RULE((x - y) + (y - z), x - z);
    RULE((x - y) + (z - x), z - y);

    RULE(min(x, y - z) + z, min(x + z, y));
    RULE(min(x - z, y) + z, min(x, y + z));
    RULE(max(x, y - z) + z, max(x + z, y));
    RULE(max(x - z, y) + z, max(x, y + z));
    RULE_IF(min(x, y + z * c1) + z * c2, min(x + z * c2, y), *c1 == -*c2);
    RULE_IF(max(x, y + z * c1) + z * c2, max(x + z * c2, y), *c1 == -*c2);
    RULE_IF(min(y + z * c1, x) + z * c2, min(x + z * c2, y), *c1 == -*c2);
    RULE_IF(max(y + z * c1, x) + z * c2, max(x + z * c2, y), *c1 == -*c2);
    RULE(oneOf(max(x, y) + min(x, y), min(x, y) + max(x, y), max(x, y) + min(y, x), min(x, y) + max(y, x)), x + y);
    RULE_IF(min(x, y + c1) + c2, min(x + c2, y), *c1 == -*c2);
    RULE_IF(min(x + c1, y) + c2, min(x, y + c2), *c1 == -*c2);
    RULE_IF(max(x, y + c1) + c2, max(x + c2, y), *c1 == -*c2);
    RULE_IF(max(x + c1, y) + c2, max(x, y + c2), *c1 == -*c2);

    // constants and coefficients
    RULE((x + c1) + c2, x + (c1 + c2));
    RULE(x + x, x * 2);
    RULE(oneOf(x * y + x, y * x + x, x + y * x, x + x * y), (y + 1) * x);
    RULE(oneOf(x * y + x * z, y * x + x * z, x * y + z * x, y * x + z * x), (y + z) * x);

    // quotient and remainder
    RULE(truncdiv(x, c1) * c1 + truncmod(x, c1), x);
    RULE(oneOf(floordiv(x, y) * y + floormod(x, y), y * floordiv(x, y) + floormod(x, y),
               floormod(x, y) + floordiv(x, y) * y, floormod(x, y) + y * floordiv(x, y)),
         x);
    RULE_IF(floordiv(floormod(x, c2) + c1, c2) + floordiv(x, c2), floordiv(x + c1, c2), *c2 > 0);
    RULE_AGAIN(floordiv(x, 2) + floormod(x, 2), floordiv(x + 1, 2));
    RULE_IF(floormod(x + c1, 2) + floormod(x, 2), like(x, 1), floorMod(*c1, 2) == 1);
    RULE_IF(floormod(x, 2) + floormod(x + c1, 2), like(x, 1), floorMod(*c1, 2) == 1);

    // order: constants last, extremes first, remainders after multiples
    RULE_AGAIN(oneOf(x + (c1 - y), (c1 - y) + x), (x - y) + c1);
    RULE_AGAIN(oneOf((x + c1) + y, x + (c1 + y), x + (y + c1)), (x + y) + c1);
    RULE_AGAIN(x + max(y, z), max(y, z) + x);
    RULE_AGAIN(x + min(y, z), min(y, z) + x);
    RULE_AGAIN(truncmod(y, c1) + x * c1, x * c1 + truncmod(y, c1));
    RULE_AGAIN(floormod(y, c1) + x * c1, x * c1 + floormod(y, c1));
  }
  RULE(select(x, b1, b2) + select(x, s1, s2), select(x, b1 + s1, b2 + s2));
  return e;
}

}  // namespace loom::arith
