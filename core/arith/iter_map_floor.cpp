// Floor division and modulo of a split, and the padding that makes them fit.
//
//     x = (mark // l) % (c * d)      x // c = (mark // (l * c)) % d        x % c = (mark // l) % c
//
// When c does not divide x's extent the mark is padded: moved up by `left` and lengthened until every divisor used on
// it divides its extent. (i - 1) // 8 and (i - 1) % 8 for i in [0, 16) see y = 7 + i in [0, 24).
#include <stdexcept>

#include "core/arith/int_math.h"
#include "core/arith/iter_map_rewriter.h"
#include "core/ir/equal.h"

namespace loom::arith {
namespace {

using ir::floordiv;
using ir::floormod;

Expr ceildiv(const Expr& a, const Expr& b) { return floordiv(a + b - 1, b); }

// A common multiple of a and b, products with a constant compared by their symbolic and constant parts.
Expr commonMultiple(const Expr& a, const Expr& b, Analyzer& analyzer) {
  struct Parts {
    Expr symbols;
    std::int64_t constant;
  };
  auto partsOf = [](const Expr& e) -> Parts {
    if (auto* value = ir::asInt(e)) return {ir::intImm(1), value->value};
    if (auto* product = ir::asBinary(e, ir::ExprKind::Mul)) {
      if (auto* value = ir::asInt(product->b)) return {product->a, value->value};
      if (auto* value = ir::asInt(product->a)) return {product->b, value->value};
    }
    return {e, 1};
  };
  auto x = partsOf(a), y = partsOf(b);
  auto constant = ir::intImm(leastCommonMultiple(x.constant, y.constant));
  auto divides = [&](const Expr& divisor, const Expr& e) {
    return analyzer.canProveEqual(floormod(e, divisor), ir::intImm(0));
  };
  if (analyzer.canProveEqual(x.symbols, y.symbols) || divides(y.symbols, x.symbols)) return x.symbols * constant;
  if (divides(x.symbols, y.symbols)) return y.symbols * constant;
  return (x.symbols * y.symbols) * constant;
}

bool structurallyEqual(const IterMark& a, const IterMark& b);

bool structurallyEqual(const IterSplitNode& a, const IterSplitNode& b) {
  return structurallyEqual(a.source, b.source) && ir::structuralEqual(a.lowerFactor, b.lowerFactor) &&
         ir::structuralEqual(a.extent, b.extent) && ir::structuralEqual(a.scale, b.scale);
}

bool structurallyEqual(const IterExpr& a, const IterExpr& b) {
  if (a.index() != b.index()) return false;
  if (auto* plain = std::get_if<Expr>(&a)) return ir::structuralEqual(*plain, std::get<Expr>(b));
  if (auto* split = std::get_if<IterSplit>(&a)) return structurallyEqual(**split, *std::get<IterSplit>(b));
  auto &x = *std::get<IterSum>(a), &y = *std::get<IterSum>(b);
  if (x.args.size() != y.args.size() || !ir::structuralEqual(x.base, y.base)) return false;
  for (std::size_t i = 0; i < x.args.size(); ++i)
    if (!structurallyEqual(*x.args[i], *y.args[i])) return false;
  return true;
}

bool structurallyEqual(const IterMark& a, const IterMark& b) {
  return a == b || (ir::structuralEqual(a->extent, b->extent) && structurallyEqual(a->source, b->source));
}

}  // namespace

bool IterMapRewriter::canProveDivisible(const Expr& dividend, const Expr& divisor) {
  auto *x = ir::asInt(dividend), *y = ir::asInt(divisor);
  if (y && y->value == 0) return false;
  if (x && y) return x->value % y->value == 0;
  return analyzer_.canProveEqual(dividend, divisor) ||
         analyzer_.canProve(ir::eq(floormod(dividend, divisor), ir::zero(dividend->dtype)));
}

// --- the dividend ---

// One split plus a base, or null: of a sum without iterators (left as it is), or of one that is no fusion (an error).
IterSum IterMapRewriter::fusedDividend(const IterExpr& dividend) {
  auto sum = toSum(dividend);
  if (sum->args.empty()) return nullptr;
  if (sum->args.size() == 1) return sum;
  auto fused = fuse(sum, Skip::SingleSplit);
  if (!fused) fail("the dividend is not a fusion of its iterators");
  return fused;
}

// (x * s + base) // c:   s and base multiples of c: x * (s / c) + base / c.   c a multiple of s, base too: (x + base /
// s) // (c / s)
std::optional<IterExpr> IterMapRewriter::floorDivide(IterSplit x, Expr base, Expr divisor) {
  if (ir::isConst(divisor, 1)) return ir::isConst(base, 0) ? IterExpr(x) : IterExpr(makeSum({x}, base));
  if (!ir::isConst(x->scale, 1)) {
    bool noBase = ir::isConst(base, 0);
    if (canProveDivisible(x->scale, divisor) && (noBase || canProveDivisible(base, divisor))) {
      x = withScale(*x, floordiv(x->scale, divisor));
      return noBase ? IterExpr(x) : IterExpr(makeSum({x}, floordiv(base, divisor)));
    }
    if (!canProveDivisible(divisor, x->scale) || !(noBase || canProveDivisible(base, x->scale))) {
      fail("the scale of a dividend and its divisor do not divide each other");
      return std::nullopt;
    }
    if (!noBase) base = floordiv(base, x->scale);
    divisor = floordiv(divisor, x->scale);
    x = withScale(*x, ir::one(divisor->dtype));
  }

  auto [padded, left] = padToDivisor(x, base, divisor);
  if (!padded) return std::nullopt;
  IterSplit quotient;
  if (canProveDivisible(padded->extent, divisor)) {
    quotient = makeSplit(padded->source, padded->lowerFactor * divisor,
                         analyzer_.simplify(floordiv(padded->extent, divisor)), padded->scale);
  } else {
    // Rounded up, the last part being shorter: of the whole mark, or of a mark made of this split.
    auto extent = analyzer_.simplify(ceildiv(padded->extent, divisor));
    if (ir::isConst(padded->lowerFactor, 1) && analyzer_.canProveEqual(padded->extent, padded->source->extent))
      quotient = makeSplit(padded->source, divisor, extent, padded->scale);
    else
      quotient = makeSplit(makeMark(padded, padded->extent), divisor, extent, ir::one(divisor->dtype));
  }
  auto rest = analyzer_.simplify(floordiv(base - left, divisor), 6);
  return ir::isConst(rest, 0) ? IterExpr(quotient) : IterExpr(makeSum({quotient}, rest));
}

// (x * s + base) % c:   s and base multiples of c: 0.   c a multiple of s, base too: (x + base / s) % (c / s) * s
std::optional<IterExpr> IterMapRewriter::floorModulo(IterSplit x, Expr base, Expr divisor) {
  auto zero = ir::zero(dtypeOf(x));
  if (ir::isConst(divisor, 1)) return zero;
  if (!ir::isConst(x->scale, 1)) {
    if (canProveDivisible(x->scale, divisor) && canProveDivisible(base, divisor)) return zero;
    bool noBase = ir::isConst(base, 0);
    if (!canProveDivisible(divisor, x->scale) || !(noBase || canProveDivisible(base, x->scale))) {
      fail("the scale of a dividend and its modulus do not divide each other");
      return std::nullopt;
    }
    divisor = floordiv(divisor, x->scale);
    if (!noBase) base = floordiv(base, x->scale);
  }
  auto padded = padToDivisor(x, base, divisor).split;
  if (!padded) return std::nullopt;
  return makeSplit(padded->source, padded->lowerFactor, divisor, padded->scale);
}

// --- padding ---

IterMapRewriter::Padding* IterMapRewriter::paddingOf(const IterMark& mark) {
  for (auto& padding : paddings_)
    if (structurallyEqual(padding.mark, mark)) return &padding;
  return nullptr;
}

// How much is missing from edge to the next multiple of factor.
Expr IterMapRewriter::padUp(const Expr& edge, const Expr& factor) {
  return canProveDivisible(edge, factor) ? ir::intImm(0) : floormod(ir::negate(edge), factor);
}

// x + base in a form that the divisor divides, and how far it was moved up for that.
IterMapRewriter::Padded IterMapRewriter::padToDivisor(const IterSplit& x, const Expr& base, const Expr& divisor) {
  auto left = analyzer_.simplify(floormod(base, divisor));
  if (round_ == Round::CollectPadding) {
    auto right = analyzer_.simplify(padUp(left + x->extent, divisor));
    return collectPadding(x, left, right, divisor);
  }
  auto* padding = paddingOf(x->source);
  if (!padding) return {x, left};
  if (ir::isConst(padding->left, 0) && canProveDivisible(padding->mark->extent, padding->factor)) return {x, left};
  if (!canProveDivisible(padding->factor, x->lowerFactor) || !canProveDivisible(padding->factor, divisor))
    throw std::domain_error("the padding of an iterator does not fit its divisors: its extent overflows");
  if (!padding->padded) {
    // left + x stays a split of left' + mark only if left' is a multiple of its lower factor.
    if (!canProveDivisible(padding->left, x->lowerFactor)) {
      fail("the padding of an iterator does not fit the part taken of it");
      return {};
    }
    left = floordiv(padding->left, x->lowerFactor);
    padMark(x->source, *padding);
  }
  auto& padded = padding->padded;
  return {makeSplit(padded, x->lowerFactor, floordiv(padded->extent, x->lowerFactor), x->scale), left};
}

// First round: only remembers what is needed; the result has a fitting extent, which is all that is looked at.
IterMapRewriter::Padded IterMapRewriter::collectPadding(const IterSplit& x, const Expr& left, const Expr& right,
                                                        const Expr& divisor) {
  auto* padding = paddingOf(x->source);
  if (!padding) padding = &paddings_.emplace_back(Padding{x->source});
  padding->factor = commonMultiple(padding->factor, divisor * x->lowerFactor, analyzer_);
  if (ir::isConst(left, 0) && ir::isConst(right, 0)) return {x, ir::intImm(0)};
  requiresPadding_ = true;
  padding->left = ir::maxOf(padding->left, left * x->lowerFactor);
  auto extent = analyzer_.simplify(left + x->extent + right);
  return {makeSplit(x->source, x->lowerFactor, extent, x->scale), left};
}

// Second round, once per mark: the padded mark, and when its value is padding. Both predicates are written by the first
// and the last period of `factor`, which is easier to simplify than comparisons with the edges.
void IterMapRewriter::padMark(const IterMark& mark, Padding& padding) {
  auto &factor = padding.factor, &left = padding.left;
  auto rightEdge = mark->extent + left;
  auto right = padUp(rightEdge, factor);
  padding.padded = makeMark(makeSum({fullSplit(mark)}, left), analyzer_.simplify(rightEdge + right));

  auto is0 = [](const Expr& e) { return ir::eq(e, ir::zero(e->dtype)); };
  auto isNot0 = [](const Expr& e) { return ir::ne(e, ir::zero(e->dtype)); };
  auto value = normalizeIterMapToExpr(padding.padded->source);
  auto period = floordiv(value, factor), place = floormod(value, factor);
  auto before = ir::andOf(isNot0(left), ir::andOf(is0(period), ir::lt(place, left)));
  auto after = ir::andOf(isNot0(right), ir::andOf(ir::eq(period, floordiv(rightEdge, factor)),
                                                  ir::ge(place, floormod(rightEdge, factor))));
  paddingPredicate_ = ir::orOf(paddingPredicate_, ir::orOf(before, after));
}

}  // namespace loom::arith
