#include "core/arith/canonical.h"

#include <optional>

#include "core/arith/constraints.h"
#include "core/arith/int_math.h"
#include "core/arith/state.h"

namespace loom::arith {

using namespace ir;

namespace {

constexpr std::size_t kUsualTerms = 4;  // of a sum: room for them is made at once

Expr normalize(const Canonical& c) {
  if (auto* e = std::get_if<Expr>(&c)) return *e;
  if (auto* t = std::get_if<SplitTerm>(&c)) return t->normalize();
  return std::get<TermSum>(c).normalize();
}

const IntImmNode* constantIn(const Canonical& c) {
  auto* e = std::get_if<Expr>(&c);
  return e ? asInt(*e) : nullptr;
}

SplitTerm termOf(Expr e) { return SplitTerm{std::move(e)}; }

// Whether the node is one that `mutate` takes apart.
bool isComposed(const Expr& e) {
  return isIndexType(e->dtype) && e->kind >= ExprKind::Add && e->kind <= ExprKind::FloorMod;
}

// The term with the rounding r, which only matters if it divides.
SplitTerm withRounding(SplitTerm t, Rounding r) {
  if (t.rounding != r) {
    if (!t.fits(r)) t = termOf(t.normalize());
    t.rounding = r;
  }
  return t;
}

// Folds an operation one of whose operands is constant, which may move an operand; null if nothing is folded.
std::optional<Canonical> foldCanonical(ExprKind kind, Canonical& a, Canonical& b) {
  auto *x = constantIn(a), *y = constantIn(b);
  if (!x && !y) return std::nullopt;
  if (x && y) {
    Expr folded = tryFold(kind, std::get<Expr>(a), std::get<Expr>(b));
    return folded ? std::optional<Canonical>(folded) : std::nullopt;
  }
  using K = ExprKind;
  bool divides = kind == K::Div || kind == K::FloorDiv, mods = kind == K::Mod || kind == K::FloorMod;
  if (x) {
    if (kind == K::Add && x->value == 0) return std::move(b);
    if (kind == K::Mul && x->value == 1) return std::move(b);
    if ((kind == K::Mul || divides || mods) && x->value == 0) return std::move(a);
    return std::nullopt;
  }
  if ((kind == K::Add || kind == K::Sub) && y->value == 0) return std::move(a);
  if ((kind == K::Mul || divides) && y->value == 1) return std::move(a);
  if (kind == K::Mul && y->value == 0) return std::move(b);
  if (mods && y->value == 1) return constantOf(y->dtype, 0);
  return std::nullopt;
}

// The product of all factors, ((1 * a) * b) …, constants gathered at the end.
Expr multiplyFlat(const Expr& a, const Expr& b) {
  std::int64_t scale = 1;
  Expr product = constantOf(a->dtype, 1);
  auto collect = [&](const Expr& factor) {
    if (auto* i = asInt(factor)) {
      scale *= i->value;
    } else {
      product = make(ExprKind::Mul, product, factor);
    }
  };
  forEachFactor(a, collect);
  forEachFactor(b, collect);
  return scale == 1 ? product : make(ExprKind::Mul, product, constantOf(product->dtype, scale));
}

// Cancels factors that dividend and divisor share; the factor they had in common, or null if there is none.
Expr cancelFactors(Expr& dividend, Expr& divisor) {
  if (isConstInt(divisor)) return nullptr;
  std::vector<Expr> factors;
  std::int64_t dividendScale = 1, divisorScale = 1;
  forEachFactor(dividend, [&](const Expr& f) {
    if (auto* i = asInt(f)) {
      dividendScale *= i->value;
    } else {
      factors.push_back(f);
    }
  });
  Expr left = constantOf(divisor->dtype, 1), common = left;
  bool cancelled = false;
  forEachFactor(divisor, [&](const Expr& f) {
    if (auto* i = asInt(f)) {
      divisorScale *= i->value;
      return;
    }
    for (Expr& other : factors) {
      if (other && deepEqual(f, other)) {
        other = nullptr;
        cancelled = true;
        common = make(ExprKind::Mul, common, f);
        return;
      }
    }
    left = make(ExprKind::Mul, left, f);
  });
  std::int64_t gcd = zeroAwareGcd(dividendScale, divisorScale);
  if (gcd == 0 || (!cancelled && gcd == 1)) return nullptr;
  Expr rest = constantOf(dividend->dtype, 1);
  for (const Expr& f : factors)
    if (f) rest = make(ExprKind::Mul, rest, f);
  dividend = make(ExprKind::Mul, rest, constantOf(dividend->dtype, dividendScale / gcd));
  divisor = make(ExprKind::Mul, left, constantOf(divisor->dtype, divisorScale / gcd));
  return make(ExprKind::Mul, common, constantOf(divisor->dtype, gcd));
}

}  // namespace

Expr CanonicalSimplifier::visit(const Expr& e) { return normalize(mutate(e)); }

// Of loads and the like only what is inside changes, and is settled or not by itself.
Expr CanonicalSimplifier::byRules(const Expr& e) {
  Expr made = dispatch(e);
  const bool inItsPlace = made->kind == e->kind && (e->kind == ExprKind::Load || e->kind == ExprKind::Cast ||
                                                    e->kind == ExprKind::Ramp || e->kind == ExprKind::Broadcast);
  if (made != e && !inItsPlace) ++unsettled_;
  return made;
}

SplitTerm CanonicalSimplifier::toTerm(Canonical c) {
  if (auto* t = std::get_if<SplitTerm>(&c)) return std::move(*t);
  if (auto* e = std::get_if<Expr>(&c)) {
    if (isComposed(*e)) ++unsettled_;
    return termOf(std::move(*e));
  }
  auto& s = std::get<TermSum>(c);
  return s.base == 0 && s.terms.size() == 1 ? std::move(s.terms[0]) : termOf(s.normalize());
}

TermSum CanonicalSimplifier::toSum(Canonical c, DType dtype) {
  if (auto* s = std::get_if<TermSum>(&c)) return std::move(*s);
  if (auto* i = constantIn(c)) return TermSum{dtype, {}, i->value};
  TermSum sum{dtype, {}, 0};
  sum.terms.reserve(kUsualTerms);
  sum.terms.push_back(toTerm(std::move(c)));
  return sum;
}

Canonical CanonicalSimplifier::mutate(const Expr& e) {
  bool index = isIndexType(e->dtype);
  switch (e->kind) {
    case ExprKind::Add: return index ? addition(e, 1) : byRules(e);
    case ExprKind::Sub: return index ? addition(e, -1) : byRules(e);
    case ExprKind::Mul: return index ? product(e) : byRules(e);
    case ExprKind::Div: return index ? quotient(e, Rounding::Trunc) : byRules(e);
    case ExprKind::FloorDiv: return index ? quotient(e, Rounding::Floor) : byRules(e);
    case ExprKind::Mod: return index ? remainder(e, Rounding::Trunc) : byRules(e);
    case ExprKind::FloorMod: return index ? remainder(e, Rounding::Floor) : byRules(e);
    case ExprKind::Cast: return index ? conversion(e) : byRules(e);
    case ExprKind::LT: return isIndexType(as<BinaryNode>(e)->a->dtype) ? less(e) : byRules(e);
    default: return byRules(e);
  }
}

Canonical CanonicalSimplifier::addition(const Expr& e, int sign) {
  auto* n = as<BinaryNode>(e);
  Canonical a = mutate(n->a), b = mutate(n->b);
  if (auto folded = foldCanonical(e->kind, a, b)) return *std::move(folded);
  TermSum sum = toSum(std::move(a), e->dtype);
  if (auto* i = constantIn(b)) {
    sum.base += sign * i->value;
  } else if (auto* s = std::get_if<TermSum>(&b)) {
    sum.add(*s, sign);
  } else {
    sum.add(toTerm(std::move(b)), sign);
  }
  return sum;
}

Canonical CanonicalSimplifier::product(const Expr& e) {
  auto* n = as<BinaryNode>(e);
  Canonical a = mutate(n->a), b = mutate(n->b);
  if (auto folded = foldCanonical(e->kind, a, b)) return *std::move(folded);
  if (constantIn(a)) std::swap(a, b);
  if (auto* i = constantIn(b)) {
    if (auto* s = std::get_if<TermSum>(&a)) {
      s->scaleBy(i->value);
      return a;
    }
    SplitTerm t = toTerm(std::move(a));
    t.scale *= i->value;
    return t;
  }
  Expr r = multiplyFlat(normalize(a), normalize(b));
  auto* m = asBinary(r, ExprKind::Mul);
  return m && m->a == n->a && m->b == n->b ? e : r;
}

SplitTerm CanonicalSimplifier::divideTerm(SplitTerm t, std::int64_t divisor, Rounding r) {
  t = withRounding(std::move(t), r);
  if (t.scale % divisor == 0) {
    t.scale /= divisor;
    return t;
  }
  if (divisor % t.scale == 0) {
    std::int64_t scaled = divisor / t.scale;
    if (t.upper != kNoUpper && t.upper % (t.lower * scaled) != 0) {
      if (t.upper <= t.lower * scaled) return termOf(constantOf(t.index->dtype, 0));
      t.index = make(modKind(r), t.index, constantOf(t.index->dtype, t.upper));
      t.upper = kNoUpper;
    }
    t.scale = 1;
    t.lower *= scaled;
    return t;
  }
  t = termOf(t.normalize());
  t.lower = divisor;
  t.rounding = r;
  return t;
}

SplitTerm CanonicalSimplifier::remainderOfTerm(SplitTerm t, std::int64_t divisor, Rounding r) {
  t = withRounding(std::move(t), r);
  if (t.scale % divisor == 0) {
    t.scale = 0;
    return t;
  }
  if (divisor % t.scale == 0) {
    // (index % upper) // lower * scale % (scaled * scale) = (index % upper) % (lower * scaled) // lower * scale
    std::int64_t upper = t.lower * (divisor / t.scale);
    if (t.upper == kNoUpper || t.upper % upper == 0) {
      if (t.upper == kNoUpper || upper >= t.upper) {
        t.upper = upper;
        return t;
      }
      SplitTerm inner = toTerm(visit(make(modKind(r), t.index, constantOf(t.index->dtype, upper))));
      if (t.lower != 1) inner = divideTerm(std::move(inner), t.lower, r);
      inner.scale *= t.scale;
      return inner;
    }
    if (upper % t.upper == 0) return t;
  }
  t = termOf(t.normalize());
  t.rounding = r;
  t.upper = divisor;
  return t;
}

// Terms the divisor divides leave the division; so does the rest if it is less than the divisor.
Canonical CanonicalSimplifier::divideSum(TermSum sum, std::int64_t divisor, Rounding r) {
  auto [whole, rest] = sum.separate(divisor);
  if (rest.isZero()) {
    whole.divideBy(divisor);
    return std::move(whole);
  }
  auto positive = [this](const Expr& e) { return s_.analyzer.canProveGreaterEqual(e, 0); };
  bool trunc = r == Rounding::Trunc;
  if (trunc && !(positive(whole.normalize()) && positive(rest.normalize())))
    return divideTerm(toTerm(std::move(sum)), divisor, r);
  whole.divideBy(divisor);
  Expr e = rest.normalize();
  if (auto* i = asInt(e)) {
    whole.base += trunc ? i->value / divisor : floorDiv(i->value, divisor);
  } else if (!(compare(e, divisor) == Outcome::LT && (trunc || positive(e)))) {
    whole.add(divideTerm(termOf(e), divisor, r), 1);
  }
  return std::move(whole);
}

Canonical CanonicalSimplifier::quotient(const Expr& e, Rounding r) {
  auto* n = as<BinaryNode>(e);
  Canonical a = mutate(n->a), b = mutate(n->b);
  if (auto folded = foldCanonical(e->kind, a, b)) return *std::move(folded);
  if (auto* i = constantIn(b); i && i->value > 0) {
    if (auto* s = std::get_if<TermSum>(&a)) return divideSum(std::move(*s), i->value, r);
    ConstIntBound bound = boundOf(s_, normalize(a));
    if (bound.min >= 0 && bound.max < i->value) return constantOf(e->dtype, 0);
    return divideTerm(toTerm(std::move(a)), i->value, r);
  }
  Expr x = normalize(a), y = normalize(b);
  if (cancelFactors(x, y)) return make(divKind(r), x, y);
  return x == n->a && y == n->b ? e : makeNode(e->kind, x, y);
}

Canonical CanonicalSimplifier::remainderOfSum(TermSum sum, std::int64_t divisor, Rounding r) {
  auto [whole, rest] = sum.separate(divisor);
  auto positive = [this](const Expr& e) { return s_.analyzer.canProveGreaterEqual(e, 0); };
  bool trunc = r == Rounding::Trunc;
  if (trunc && rest.isZero()) return constantOf(sum.dtype, 0);
  if (!trunc || (positive(whole.normalize()) && positive(rest.normalize()))) {
    Expr e = rest.normalize();
    if (auto* i = asInt(e)) return constantOf(sum.dtype, trunc ? i->value % divisor : floorMod(i->value, divisor));
    if (compare(e, divisor) == Outcome::LT && (trunc || positive(e))) return e;
    sum = rest;
  }
  // Bring the constant into [0, divisor): (x - 5) % 3 = (x + 1) % 3.
  if (!trunc) {
    sum.base = floorMod(sum.base, divisor);
  } else {
    ConstIntBound bound = boundOf(s_, sum.normalize());
    std::int64_t base = sum.base % divisor;
    if (bound.min >= 0 && bound.min - sum.base + base >= 0) sum.base = base;
  }
  return remainderOfTerm(toTerm(std::move(sum)), divisor, r);
}

Canonical CanonicalSimplifier::remainder(const Expr& e, Rounding r) {
  auto* n = as<BinaryNode>(e);
  Canonical a = mutate(n->a), b = mutate(n->b);
  if (auto folded = foldCanonical(e->kind, a, b)) return *std::move(folded);
  if (auto* i = constantIn(b); i && i->value > 0) {
    if (auto* s = std::get_if<TermSum>(&a)) return remainderOfSum(std::move(*s), i->value, r);
    ConstIntBound bound = boundOf(s_, normalize(a));
    if (bound.min >= 0 && bound.max < i->value) return a;
    return remainderOfTerm(toTerm(std::move(a)), i->value, r);
  }
  Expr x = normalize(a), y = normalize(b);
  if (Expr common = cancelFactors(x, y)) return make(ExprKind::Mul, make(modKind(r), x, y), common);
  return x == n->a && y == n->b ? e : makeNode(e->kind, x, y);
}

Canonical CanonicalSimplifier::conversion(const Expr& e) {
  Canonical value = mutate(as<CastNode>(e)->value);
  DType to = e->dtype;
  if (auto* s = std::get_if<TermSum>(&value); s && s->canCastTo(to, s_.analyzer)) {
    for (SplitTerm& t : s->terms) t.index = cast(to, t.index);
    s->dtype = to;
    return value;
  }
  if (auto* t = std::get_if<SplitTerm>(&value); t && t->canCastTo(to, s_.analyzer)) {
    t->index = cast(to, t->index);
    return value;
  }
  return byRules(e);
}

// Divides a < b by what the scales have in common, if the other terms stay below that or are remainders that it
// divides: x * 8 + y < 16 with 0 <= y < 8 becomes x < 2. Of a remainder that is subtracted, the quotient would have to
// be rounded up: TVM 0.22 rounds it down all the same and makes 2 * x - y % 4 < 0 hold too seldom, which its pull
// request 19669 mends as it is mended here.
Canonical CanonicalSimplifier::less(const Expr& e) {
  auto* n = as<BinaryNode>(e);
  Canonical difference = mutate(make(ExprKind::Sub, n->a, n->b));
  auto* sum = std::get_if<TermSum>(&difference);
  if (!sum) return byRules(e);
  std::int64_t gcd = sum->base;
  bool scaled = false;
  for (const SplitTerm& t : sum->terms) {
    if (t.scale > 1 || t.scale < -1) {
      scaled = true;
      gcd = zeroAwareGcd(gcd, t.scale);
    }
  }
  if (!scaled || gcd <= 1) return byRules(e);
  auto [whole, rest] = sum->separate(gcd);
  DType t = sum->dtype;
  Expr zero = constantOf(t, 0), extra = rest.normalize();
  if (s_.analyzer.canProve(make(ExprKind::LT, extra, constantOf(t, gcd))) &&
      s_.analyzer.canProve(make(ExprKind::GE, extra, zero))) {
    whole.divideBy(gcd);
    return mutate(make(ExprKind::LT, whole.normalize(), zero));
  }
  if (rest.terms.size() == 1) {
    const SplitTerm& s = rest.terms[0];
    std::int64_t lower = gcd * s.lower;
    if (s.scale == 1 && s.upper != kNoUpper && s.upper % lower == 0) {
      whole.divideBy(gcd);
      Expr part = make(ExprKind::FloorMod, make(ExprKind::FloorDiv, s.index, constantOf(t, lower)),
                       constantOf(t, floorDiv(s.upper, lower)));
      return mutate(make(ExprKind::LT, make(ExprKind::Add, whole.normalize(), part), zero));
    }
  }
  return byRules(e);
}

}  // namespace loom::arith
