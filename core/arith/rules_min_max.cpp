// min(x, y) and max(x, y): one set of rules, read for min; for max everything is mirrored
#include "core/arith/rules.h"

namespace loom::arith {

using namespace pattern;

namespace {

// least(a, b) is min and greatest max, or the other way round.
template <bool isMin>
struct Side {
  template <class A, class B>
  static auto least(const A& a, const B& b) {
    if constexpr (isMin) {
      return min(a, b);
    } else {
      return max(a, b);
    }
  }
  template <class A, class B>
  static auto greatest(const A& a, const B& b) {
    return Side<!isMin>::least(a, b);
  }
};

}  // namespace

template <bool isMin>
Expr Rewriter::extremeRules(const Expr& e) {
  auto lo = [](const auto& a, const auto& b) { return Side<isMin>::least(a, b); };
  auto hi = [](const auto& a, const auto& b) { return Side<isMin>::greatest(a, b); };
  auto before = [](std::int64_t a, std::int64_t b) { return isMin ? a < b : a > b; };
  Any x, y, z, s1, s2;
  Const c1, c2;
  if (e->dtype.lanes > 1) {
    Lanes lanes;
    RULE(lo(broadcast(x, lanes), broadcast(y, lanes)), broadcast(lo(x, y), lanes));
    RULE(lo(lo(x, broadcast(y, lanes)), broadcast(z, lanes)), lo(x, broadcast(lo(y, z), lanes)));
  }
  if (isIndexType(e->dtype)) {
    RULE(lo(x, x), x);
    auto* n = ir::as<ir::BinaryNode>(e);
    ConstIntBound a = boundOf(s_, n->a), b = boundOf(s_, n->b);
    if (isMin ? a.max <= b.min : a.min >= b.max) return n->a;
    if (isMin ? b.max <= a.min : b.min >= a.max) return n->b;

    // one expression at two distances
    if (lo(x + c1, x + c2).match(e)) return before(*c1, *c2) ? (x + c1).build() : (x + c2).build();
    if (lo(x + c1, x).match(e) || lo(x, x + c1).match(e)) return before(*c1, 0) ? (x + c1).build() : *x;
    if (lo(c1 - x, c2 - x).match(e)) return before(*c1, *c2) ? (c1 - x).build() : (c2 - x).build();

    // rounding up and down to multiples
    auto roundsUp = [&] { return *c2 > 0 && *c1 + 1 == *c2; };
    if constexpr (isMin) {
      RULE_IF(oneOf(min(truncdiv(x + c1, c2) * c2, x), min(x, truncdiv(x + c1, c2) * c2),
                    min(floordiv(x + c1, c2) * c2, x), min(x, floordiv(x + c1, c2) * c2)),
              x, roundsUp());
      RULE_IF(oneOf(min(truncdiv(x + c1, c2) * c2, max(x, c2)), min(max(x, c2), truncdiv(x + c1, c2) * c2),
                    min(floordiv(x + c1, c2) * c2, max(x, c2)), min(max(x, c2), floordiv(x + c1, c2) * c2)),
              max(x, c2), roundsUp() && proveGreaterEqual(*x, 1));
      RULE_IF(oneOf(min(x, floordiv(x, c2) * c2), min(floordiv(x, c2) * c2, x)), floordiv(x, c2) * c2, *c2 > 0);
    } else {
      RULE_IF(oneOf(max(truncdiv(x + c1, c2) * c2, x), max(x, truncdiv(x + c1, c2) * c2)), truncdiv(x + c1, c2) * c2,
              roundsUp());
      RULE_IF(oneOf(max(floordiv(x + c1, c2) * c2, x), max(x, floordiv(x + c1, c2) * c2)), floordiv(x + c1, c2) * c2,
              roundsUp());
      RULE_IF(oneOf(max(floordiv(x, c2) * c2, x), max(x, floordiv(x, c2) * c2)), x, *c2 > 0);
    }

    // absorption
    RULE(oneOf(lo(hi(x, y), lo(x, y)), lo(hi(x, y), lo(y, x)), lo(lo(x, y), hi(x, y)), lo(lo(x, y), hi(y, x)),
               lo(lo(x, y), x), lo(lo(x, y), y), lo(x, lo(x, y)), lo(y, lo(x, y))),
         lo(x, y));
    RULE(oneOf(lo(hi(x, y), x), lo(hi(y, x), x), lo(x, hi(x, y)), lo(x, hi(y, x))), x);
    RULE(lo(lo(lo(x, y), z), y), lo(lo(x, y), z));
    RULE(lo(lo(lo(lo(x, y), z), s1), y), lo(lo(lo(x, y), z), s1));
    RULE(lo(lo(lo(lo(lo(x, y), z), s1), s2), y), lo(lo(lo(lo(x, y), z), s1), s2));

    // distribution
    RULE(oneOf(lo(hi(x, y), hi(x, z)), lo(hi(x, y), hi(z, x)), lo(hi(y, x), hi(x, z)), lo(hi(y, x), hi(z, x))),
         hi(lo(y, z), x));
    RULE(oneOf(lo(lo(x, y), lo(x, z)), lo(lo(x, y), lo(z, x)), lo(lo(y, x), lo(x, z)), lo(lo(y, x), lo(z, x))),
         lo(lo(y, z), x));
    RULE(oneOf(lo(y + x, z + x), lo(y + x, x + z), lo(x + y, x + z), lo(x + y, z + x)), lo(y, z) + x);
    RULE(lo(y - x, z - x), lo(y, z) - x);
    RULE(lo(x - y, x - z), x - hi(y, z));

    // constants and scales
    RULE(lo(lo(x, c1), c2), lo(x, lo(c1, c2)));
    if (lo(truncdiv(x, c1), truncdiv(y, c1)).match(e))
      return *c1 > 0 ? truncdiv(lo(x, y), c1).build() : truncdiv(hi(x, y), c1).build();
    if (lo(floordiv(x, c1), floordiv(y, c1)).match(e))
      return *c1 > 0 ? floordiv(lo(x, y), c1).build() : floordiv(hi(x, y), c1).build();
    if (lo(x * c1, y * c1).match(e)) return *c1 > 0 ? (lo(x, y) * c1).build() : (hi(x, y) * c1).build();
    if (lo(x * c1, c2).match(e)) {
      if (*c1 == 0) return before(*c2, 0) ? c2.build() : c1.build();
      if (*c2 % *c1 == 0) return *c1 > 0 ? (lo(x, *c2 / *c1) * c1).build() : (hi(x, *c2 / *c1) * c1).build();
    }

    // order: constants last
    RULE_AGAIN(lo(lo(x, c1), y), lo(lo(x, y), c1));
    RULE_AGAIN_IF(lo(c1 - x, c2), c1 - hi(x, c1 - c2), *c2 != 0);
  }
  RULE(lo(select(x, y, z), select(x, s1, s2)), select(x, lo(y, s1), lo(z, s2)));
  return e;
}

template Expr Rewriter::extremeRules<true>(const Expr& e);
template Expr Rewriter::extremeRules<false>(const Expr& e);

}  // namespace loom::arith
