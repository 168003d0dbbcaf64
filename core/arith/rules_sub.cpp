// x - y
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

Expr Rewriter::subRules(const Expr& e) {
  Any x, y, z, b1, b2, s1, s2;
  Const c1;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(ramp(b1, s1, lanes) - ramp(b2, s2, lanes), ramp(b1 - b2, s1 - s2, lanes));
    RULE(ramp(b1, s1, lanes) - broadcast(x, lanes), ramp(b1 - x, s1, lanes));
    RULE(broadcast(x, lanes) - ramp(b1, s1, lanes), ramp(x - b1, 0 - s1, lanes));
    RULE(broadcast(x, lanes) - broadcast(y, lanes), broadcast(x - y, lanes));
  }
  if (isIndexType(e->dtype)) {
    if (Expr r = subCancelRules(e)) return r;
    if (Expr r = subTruncDivRules(e)) return r;
    if (Expr r = subFloorDivRules(e)) return r;
    // order: a constant or coefficient is added, a sum is subtracted term by term
    RULE(x - c1, x + (0 - c1));
    RULE_AGAIN((x + c1) - y, (x - y) + c1);
    RULE_AGAIN(x - (y + c1), (x - y) + (0 - c1));
    RULE_AGAIN(x - (y - z), (x + z) - y);
    RULE_AGAIN(x - y * c1, x + y * (0 - c1));
  } else {
    // As for integers, though NaN - NaN is not 0; what has effects stays.
    auto repeatable = [](const Any& p) { return effectOf(*p) <= Effect::ReadState; };
    RULE_IF(x - x, like(x, 0), repeatable(x));
    RULE_IF((x + y) - y, x, repeatable(y));
    RULE_IF((x + y) - x, y, repeatable(x));
    RULE_IF(x - (y + x), 0 - y, repeatable(x));
    RULE_IF(x - (x + y), 0 - y, repeatable(x));
  }
  RULE(select(x, b1, b2) - select(x, s1, s2), select(x, b1 - s1, b2 - s2));
  RULE(select(x, y, z) - z, select(x, y - z, like(z, 0)));
  RULE(select(x, y, z) - y, select(x, like(y, 0), z - y));
  return e;
}

Expr Rewriter::subCancelRules(const Expr& e) {
  Any x, y, z, b1, b2, s1, s2;
  Const c1, c2;
  RULE(oneOf((x + y) - y, (y + x) - y), x);
  RULE(oneOf(x - (y + x), x - (x + y)), 0 - y);
  RULE(oneOf(min(x, y) - y, x - max(y, x)), min(x - y, 0));
  RULE(oneOf(x - max(x, y), min(y, x) - y), min(0, x - y));
  RULE(oneOf(max(x, y) - y, x - min(y, x)), max(x - y, 0));
  RULE(oneOf(x - min(x, y), max(y, x) - y), max(0, x - y));

  // coefficients
  RULE(x - x, like(x, 0));
  RULE(oneOf(x * y - x, y * x - x), (y - 1) * x);
  RULE(oneOf(x - y * x, x - x * y), (1 - y) * x);
  RULE(oneOf(x * y - x * z, y * x - x * z, x * y - z * x, y * x - z * x), (y - z) * x);

  // constants
  RULE((x + c1) - c2, x + (c1 - c2));
  RULE((c1 - x) - (c2 - y), (y - x) + (c1 - c2));

  // four operands
  RULE(oneOf((x + y) - (x + z), (x + y) - (z + x), (y + x) - (z + x), (y + x) - (x + z)), y - z);
  RULE(oneOf(min(x + y, z) - x, min(y + x, z) - x), min(y, z - x));
  RULE(oneOf(min(z, x + y) - x, min(z, y + x) - x), min(z - x, y));
  RULE(oneOf(max(x + y, z) - x, max(y + x, z) - x), max(y, z - x));
  RULE(oneOf(max(z, x + y) - x, max(z, y + x) - x), max(z - x, y));
  RULE(oneOf(x - min(x + y, z), x - min(y + x, z)), max(0 - y, x - z));
  RULE(oneOf(x - min(z, x + y), x - min(z, y + x)), max(x - z, 0 - y));
  RULE(oneOf(x - max(x + y, z), x - max(y + x, z)), min(0 - y, x - z));
  RULE(oneOf(x - max(z, x + y), x - max(z, y + x)), min(x - z, 0 - y));
  RULE(min(x, y) - min(y, x), like(x, 0));
  RULE(max(x, y) - max(y, x), like(x, 0));
  RULE_IF(oneOf(min(b1, b2) - min(s1, s2), min(b1, b2) - min(s2, s1)), b1 - s1,
          proveEqual(((b1 - s1) - (b2 - s2)).build(), 0));
  RULE_IF(oneOf(max(b1, b2) - max(s1, s2), max(b1, b2) - max(s2, s1)), b1 - s1,
          proveEqual(((b1 - s1) - (b2 - s2)).build(), 0));
  return nullptr;
}

// x - (x / c) * c is x % c, for truncating division.
Expr Rewriter::subTruncDivRules(const Expr& e) {
  Any x, y;
  Const c1, c2, c3;
  auto scaled = [&] { return *c1 != 0 && *c3 == *c1 * *c2; };
  RULE_IF(x - truncdiv(x, c1) * c1, truncmod(x, c1), *c1 != 0);
  RULE_IF(truncdiv(x, c1) * c1 - x, 0 - truncmod(x, c1), *c1 != 0);
  RULE_IF(x - truncdiv(x + y, c1) * c1, truncmod(x + y, c1) - y, *c1 != 0);
  RULE_IF(truncdiv(x + y, c1) * c1 - x, y - truncmod(x + y, c1), *c1 != 0);
  RULE_IF(x - truncdiv(x - y, c1) * c1, truncmod(x - y, c1) + y, *c1 != 0);
  RULE_IF(truncdiv(x - y, c1) * c1 - x, 0 - truncmod(x - y, c1) - y, *c1 != 0);

  RULE_IF(x * c2 - truncdiv(x, c1) * c3, truncmod(x, c1) * c2, scaled());
  RULE_IF(truncdiv(x, c1) * c3 - x * c2, 0 - truncmod(x, c1) * c2, scaled());
  RULE_IF(x * c2 - truncdiv(x + y, c1) * c3, (truncmod(x + y, c1) - y) * c2, scaled());
  RULE_IF(truncdiv(x + y, c1) * c3 - x * c2, (y - truncmod(x + y, c1)) * c2, scaled());
  RULE_IF(x * c2 - truncdiv(x - y, c1) * c3, (truncmod(x - y, c1) + y) * c2, scaled());
  RULE_IF(truncdiv(x - y, c1) * c3 - x * c2, (0 - truncmod(x - y, c1) - y) * c2, scaled());

  RULE_IF(truncdiv(x + c1, c3) - truncdiv(x + c2, c3), truncdiv(truncmod(x + floormod(c2, c3), c3) + (c1 - c2), c3),
          proveGreaterEqual(*x, -*c2) && *c1 >= *c2 && *c3 > 0);
  RULE_IF(truncdiv(x + c1, c3) - truncdiv(x, c3), truncdiv(truncmod(x, c3) + c1, c3),
          proveGreaterEqual(*x, 0) && *c1 >= 0 && *c3 > 0);
  return nullptr;
}

// x - (x // c) * c is x % c, for flooring division.
Expr Rewriter::subFloorDivRules(const Expr& e) {
  Any x, y;
  Const c1, c2, c3;
  auto scaled = [&] { return *c1 != 0 && *c3 == *c1 * *c2; };
  RULE_IF(x - floordiv(x, c1) * c1, floormod(x, c1), *c1 != 0);
  RULE_IF(floordiv(x, c1) * c1 - x, 0 - floormod(x, c1), *c1 != 0);
  RULE_IF(x - floordiv(x + y, c1) * c1, floormod(x + y, c1) - y, *c1 != 0);
  RULE_IF(floordiv(x + y, c1) * c1 - x, y - floormod(x + y, c1), *c1 != 0);
  RULE_IF(x - floordiv(x - y, c1) * c1, floormod(x - y, c1) + y, *c1 != 0);
  RULE_IF(floordiv(x - y, c1) * c1 - x, 0 - floormod(x - y, c1) - y, *c1 != 0);

  RULE_AGAIN(floordiv(x + c1, 2) - floordiv(x + c2, 2),
             floormod(x, 2) * (floormod(c1, 2) - floormod(c2, 2)) + (floordiv(c1, 2) - floordiv(c2, 2)));
  RULE_AGAIN(floordiv(x, 2) - floordiv(x + c2, 2), floormod(x, 2) * (0 - floormod(c2, 2)) - floordiv(c2, 2));
  RULE_AGAIN(floordiv(x + c1, 2) - floordiv(x, 2), floormod(x, 2) * floormod(c1, 2) + floordiv(c1, 2));

  RULE_IF(x * c2 - floordiv(x, c1) * c3, floormod(x, c1) * c2, scaled());
  RULE_IF(floordiv(x, c1) * c3 - x * c2, 0 - floormod(x, c1) * c2, scaled());
  RULE_IF(x * c2 - floordiv(x + y, c1) * c3, (floormod(x + y, c1) - y) * c2, scaled());
  RULE_IF(floordiv(x + y, c1) * c3 - x * c2, (y - floormod(x + y, c1)) * c2, scaled());
  RULE_IF(x * c2 - floordiv(x - y, c1) * c3, (floormod(x - y, c1) + y) * c2, scaled());
  RULE_IF(floordiv(x - y, c1) * c3 - x * c2, (0 - floormod(x - y, c1) - y) * c2, scaled());

  RULE_AGAIN(floordiv(x + 1, 2) - floormod(x, 2), floordiv(x, 2));
  RULE_IF(floordiv(x + c1, c3) - floordiv(x + c2, c3), floordiv(floormod(x + floormod(c2, c3), c3) + (c1 - c2), c3),
          *c3 > 0);
  RULE_IF(floordiv(x + c1, c3) - floordiv(x, c3), floordiv(floormod(x, c3) + c1, c3), *c3 > 0);
  return nullptr;
}

}  // namespace loom::arith
