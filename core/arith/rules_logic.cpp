// a and b, a or b
#include "core/arith/int_math.h"
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

Expr Rewriter::andRules(const Expr& e) {
  Any x, y, z;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(broadcast(x, lanes) && broadcast(y, lanes), broadcast(x && y, lanes));
  }
  Given no(constantOf(e->dtype, 0));
  RULE(x == y && x != y, no);
  RULE(x != y && x == y, no);
  RULE(x && !x, no);
  RULE(x <= y && y < x, no);
  RULE(y < x && x <= y, no);
  RULE_IF(x < c1 && c2 < x, no, *c2 + 1 >= *c1);
  RULE_IF(c2 < x && x < c1, no, *c2 + 1 >= *c1);
  RULE_IF(oneOf(x < c1 && c2 <= x, c2 <= x && x < c1, x <= c1 && c2 < x, c2 < x && x <= c1), no, *c2 >= *c1);
  RULE_IF(oneOf(x <= c1 && c2 <= x, c2 <= x && x <= c1), no, *c2 > *c1);
  RULE((x == c1) && (x == c2), (x == c1) && (c1 == c2));
  RULE(oneOf(x == c1 && x != c2, x != c2 && x == c1), x == c1 && c1 != c2);
  if (Expr r = andDivModRules(e)) return r;
  RULE_AGAIN(x && (y && z), (x && y) && z);
  return e;
}

// A quotient and a remainder of one expression together bound the expression itself.
Expr Rewriter::andDivModRules(const Expr& e) {
  Any x, y;
  Const c1, c2, c3;
  RULE_AGAIN(oneOf(floordiv(x, c2) == c1 && floormod(x, c2) == c3, floormod(x, c2) == c3 && floordiv(x, c2) == c1),
             x == c1 * c2 + c3);
  RULE_AGAIN_IF(oneOf(0 <= x - y * c1 && x - y * c1 < c1, x - y * c1 < c1 && 0 <= x - y * c1), y == floordiv(x, c1),
                *c1 > 0);
  RULE_AGAIN(oneOf(c1 < x - y * c1 && x - y * c1 <= 0, x - y * c1 < c1 && 0 <= x - y * c1), y == floordiv(x, c1));
  RULE_AGAIN_IF(oneOf(0 <= x + y * c2 && x + y * c2 < c1, x + y * c2 < c1 && 0 <= x + y * c2), y == floordiv(x, c1),
                *c2 == -*c1);
  auto exceeds = [&](std::int64_t value) { return *c2 != 0 && (value % *c2 + *c2) % *c2 > *c3; };
  RULE_AGAIN_IF(x < c1 && floormod(x, c2) < c3, x < c1 - c2 + c3 && floormod(x, c2) < c3, *c2 != 0 && *c1 % *c2 == 0);
  RULE_AGAIN_IF(x < c1 && floormod(x, c2) < c3, x < c1 - floormod(c1, c2) + c3 && floormod(x, c2) < c3, exceeds(*c1));
  RULE_AGAIN_IF(x <= c1 && floormod(x, c2) < c3, x < c1 + 1 - c2 + c3 && floormod(x, c2) < c3,
                *c2 != 0 && (*c1 + 1) % *c2 == 0);
  RULE_AGAIN_IF(x <= c1 && floormod(x, c2) < c3, x < c1 + 1 - floormod(c1, c2) + c3 && floormod(x, c2) < c3,
                exceeds(*c1 + 1));
  RULE_AGAIN(oneOf(floordiv(x, c2) == c1 && floormod(x, c2) < c3, floormod(x, c2) < c3 && floordiv(x, c2) == c1),
             c1 * c2 <= x && x < c1 * c2 + c3);
  RULE_AGAIN(oneOf(floordiv(x, c2) == c1 && floormod(x, c2) <= c3, floormod(x, c2) <= c3 && floordiv(x, c2) == c1),
             c1 * c2 <= x && x <= c1 * c2 + c3);
  RULE_AGAIN(oneOf(floordiv(x, c2) == c1 && c3 <= floormod(x, c2), c3 <= floormod(x, c2) && floordiv(x, c2) == c1),
             c1 * c2 + c3 <= x && x < (c1 + 1) * c2);
  RULE_AGAIN(oneOf(floordiv(x, c2) == c1 && c3 < floormod(x, c2), c3 < floormod(x, c2) && floordiv(x, c2) == c1),
             c1 * c2 + c3 < x && x < (c1 + 1) * c2);
  return nullptr;
}

Expr Rewriter::orRules(const Expr& e) {
  Any x, y, z;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(broadcast(x, lanes) || broadcast(y, lanes), broadcast(x || y, lanes));
  }
  Given yes(constantOf(e->dtype, 1));
  RULE(x == y || x != y, yes);
  RULE(x != y || x == y, yes);
  RULE(x || !x, yes);
  RULE(x <= y || y < x, yes);
  RULE(y < x || x <= y, yes);
  RULE(x < y || y < x, x != y);
  RULE_IF(oneOf(x < c1 || c2 < x, c2 < x || x < c1), yes, *c2 < *c1);
  RULE_IF(oneOf(x <= c1 || c2 < x, c2 < x || x <= c1), yes, *c2 <= *c1);
  RULE_IF(oneOf(x < c1 || c2 <= x, c2 <= x || x < c1), yes, *c2 <= *c1);
  RULE_IF(oneOf(x <= c1 || c2 <= x, c2 <= x || x <= c1), yes, *c2 <= *c1 + 1);
  RULE(x != c1 || x != c2, x != c1 || c1 != c2);
  RULE(x != c1 || x == c2, x != c1 || c1 == c2);
  RULE(x == c2 || x != c1, x != c1 || c1 == c2);
  RULE_AGAIN(oneOf(x < y || x == y, x < y || y == x, x == y || x < y, y == x || x < y), x <= y);
  RULE_AGAIN(x || (y || z), (x || y) || z);
  return e;
}

}  // namespace loom::arith
