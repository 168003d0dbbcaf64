// Patterns of expressions, in which the rewriting rules are written.
//
//   Any x, y; Const c1, c2;
//   if (((x + c1) + c2).match(e)) return (x + (c1 + c2)).build();
//
// `Any` stands for an expression, `Const` for an integer constant (no Broadcast of one); a name that occurs twice must
// match equal trees. Operands match in the order written only. A name remembers what it matched by the address of an
// Expr, in the matched tree or the one that `match` was given, so both must live, unchanged, while the names are used.
// `*x` is the matched expression, `*c1` the matched number; neither may be used before a match, or after one that
// failed. `build` makes the expression in which the names stand for what they matched, and folds constants in binary
// operations; a plain number in a pattern has the dtype of the other operand.
//
// Every pattern that can be matched has `fits`, which returns whether an expression is of the pattern's form, whatever
// its names stand for, `reset`, which forgets what its names have matched, and `test`, which returns whether an
// expression matches, given what the names have matched so far. Most expressions fit few of a kind's rules, and to see
// that nothing is written. Every pattern that can stand in a result has `build`, but for a plain number, which its
// binary operation builds.
#pragma once
#include <cmath>
#include <tuple>
#include <type_traits>

#include "core/arith/const_fold.h"
#include "core/arith/deep_equal.h"

namespace loom::arith::pattern {

// The base of all patterns.
template <class Derived>
struct Pattern {
  const Derived& self() const { return static_cast<const Derived&>(*this); }
  // Returns whether an expression matches, and sets the pattern's names.
  bool match(const Expr& e) const {
    if (!self().fits(e)) return false;
    self().reset();
    return self().test(e);
  }
  // Returns whether an expression matches and `condition()`, which may use the names, holds.
  template <class Condition>
  bool match(const Expr& e, const Condition& condition) const {
    return match(e) && condition();
  }
};

// The base of patterns that have a name in a rule. Larger patterns hold them by reference, other patterns by value
// (Hold).
struct Name {
  Name() = default;
  Name(const Name&) = delete;
  Name& operator=(const Name&) = delete;
};
template <class P>
using Hold = std::conditional_t<std::is_base_of_v<Name, P>, const P&, const P>;

// Matches any expression. If the pattern stands in several places, all of them must be equal.
class Any : public Pattern<Any>, public Name {
 public:
  bool fits(const Expr&) const { return true; }
  void reset() const { at_ = nullptr; }
  bool test(const Expr& e) const {
    if (at_) return deepEqual(*at_, e);
    at_ = &e;
    return true;
  }
  const Expr& build() const { return *at_; }
  const Expr& operator*() const { return *at_; }
  bool matched() const { return at_ != nullptr; }

 private:
  mutable const Expr* at_ = nullptr;
};

// Matches an integer constant, the same in all places where the pattern stands.
class Const : public Pattern<Const>, public Name {
 public:
  bool fits(const Expr& e) const { return e->kind == ExprKind::IntImm; }
  void reset() const { at_ = nullptr; }
  bool test(const Expr& e) const {
    if (e->kind != ExprKind::IntImm) return false;
    if (at_) return ir::as<ir::IntImmNode>(*at_)->value == ir::as<ir::IntImmNode>(e)->value;
    at_ = &e;
    return true;
  }
  const Expr& build() const { return *at_; }
  std::int64_t operator*() const { return ir::as<ir::IntImmNode>(*at_)->value; }

 private:
  mutable const Expr* at_ = nullptr;
};

// Matches a float constant, the same in all places where the pattern stands.
class FloatConst : public Pattern<FloatConst>, public Name {
 public:
  bool fits(const Expr& e) const { return e->kind == ExprKind::FloatImm; }
  void reset() const { at_ = nullptr; }
  bool test(const Expr& e) const {
    if (e->kind != ExprKind::FloatImm) return false;
    if (at_) return std::fabs(*(*this) - ir::as<ir::FloatImmNode>(e)->value) < 1e-20;
    at_ = &e;
    return true;
  }
  const Expr& build() const { return *at_; }
  double operator*() const { return ir::as<ir::FloatImmNode>(*at_)->value; }

 private:
  mutable const Expr* at_ = nullptr;
};

// Matches a number of lanes, the same in all places where the pattern stands.
class Lanes : public Name {
 public:
  void reset() const { lanes_ = 0; }
  bool test(int lanes) const {
    if (lanes_) return lanes_ == lanes;
    lanes_ = lanes;
    return true;
  }
  int operator*() const { return lanes_; }

 private:
  mutable int lanes_ = 0;
};

// A plain number in a rule; its dtype is that of the other operand.
struct Number : Pattern<Number> {
  std::int64_t value;
  explicit Number(std::int64_t v) : value(v) {}
  bool fits(const Expr& e) const { return test(e); }
  void reset() const {}
  bool test(const Expr& e) const { return ir::isConst(e, value); }
};

// A given expression, as part of a rule's result; it matches equal trees (deepEqual).
struct Given : Pattern<Given> {
  Expr value;
  explicit Given(Expr v) : value(std::move(v)) {}
  bool fits(const Expr&) const { return true; }
  void reset() const {}
  bool test(const Expr& e) const { return deepEqual(value, e); }
  const Expr& build() const { return value; }
};

// Matches a binary operation of a kind whose operands match two patterns.
template <ExprKind kind, class A, class B>
struct Binary : Pattern<Binary<kind, A, B>> {
  Hold<A> a;
  Hold<B> b;
  Binary(const A& x, const B& y) : a(x), b(y) {}
  bool fits(const Expr& e) const {
    if (e->kind != kind) return false;
    auto* n = ir::as<ir::BinaryNode>(e);
    return a.fits(n->a) && b.fits(n->b);
  }
  void reset() const {
    a.reset();
    b.reset();
  }
  bool test(const Expr& e) const {
    if (e->kind != kind) return false;
    auto* n = ir::as<ir::BinaryNode>(e);
    return a.test(n->a) && b.test(n->b);
  }
  Expr build() const {
    if constexpr (std::is_same_v<A, Number>) {
      const Expr& y = b.build();
      return make(kind, constantOf(y->dtype, a.value), y);
    } else if constexpr (std::is_same_v<B, Number>) {
      const Expr& x = a.build();
      return make(kind, x, constantOf(x->dtype, b.value));
    } else {
      const Expr& x = a.build();
      const Expr& y = b.build();
      return make(kind, x, y);
    }
  }
};

// Defines the operator or function that makes patterns of a binary operation, also with a number as one operand.
#define LOOM_PATTERN_BINARY(name, kind)                                         \
  template <class A, class B>                                                   \
  Binary<ExprKind::kind, A, B> name(const Pattern<A>& a, const Pattern<B>& b) { \
    return {a.self(), b.self()};                                                \
  }                                                                             \
  template <class A>                                                            \
  Binary<ExprKind::kind, A, Number> name(const Pattern<A>& a, std::int64_t b) { \
    return {a.self(), Number(b)};                                               \
  }                                                                             \
  template <class B>                                                            \
  Binary<ExprKind::kind, Number, B> name(std::int64_t a, const Pattern<B>& b) { \
    return {Number(a), b.self()};                                               \
  }
LOOM_PATTERN_BINARY(operator+, Add)
LOOM_PATTERN_BINARY(operator-, Sub)
LOOM_PATTERN_BINARY(operator*, Mul)
LOOM_PATTERN_BINARY(truncdiv, Div)
LOOM_PATTERN_BINARY(truncmod, Mod)
LOOM_PATTERN_BINARY(floordiv, FloorDiv)
LOOM_PATTERN_BINARY(floormod, FloorMod)
LOOM_PATTERN_BINARY(min, Min)
LOOM_PATTERN_BINARY(max, Max)
LOOM_PATTERN_BINARY(operator==, EQ)
LOOM_PATTERN_BINARY(operator!=, NE)
LOOM_PATTERN_BINARY(operator<, LT)
LOOM_PATTERN_BINARY(operator<=, LE)
LOOM_PATTERN_BINARY(operator>, GT)
LOOM_PATTERN_BINARY(operator>=, GE)
LOOM_PATTERN_BINARY(operator&&, And)
LOOM_PATTERN_BINARY(operator||, Or)
#undef LOOM_PATTERN_BINARY

// Matches the negation of a bool.
template <class A>
struct Negation : Pattern<Negation<A>> {
  Hold<A> a;
  explicit Negation(const A& x) : a(x) {}
  bool fits(const Expr& e) const { return e->kind == ExprKind::Not && a.fits(ir::as<ir::NotNode>(e)->a); }
  void reset() const { a.reset(); }
  bool test(const Expr& e) const { return e->kind == ExprKind::Not && a.test(ir::as<ir::NotNode>(e)->a); }
  Expr build() const { return std::make_shared<ir::NotNode>(a.build()); }
};
template <class A>
Negation<A> operator!(const Pattern<A>& a) {
  return Negation<A>(a.self());
}

// Matches a Select.
template <class C, class A, class B>
struct Selection : Pattern<Selection<C, A, B>> {
  Hold<C> c;
  Hold<A> a;
  Hold<B> b;
  Selection(const C& x, const A& y, const B& z) : c(x), a(y), b(z) {}
  bool fits(const Expr& e) const {
    if (e->kind != ExprKind::Select) return false;
    auto* n = ir::as<ir::SelectNode>(e);
    return c.fits(n->condition) && a.fits(n->yes) && b.fits(n->no);
  }
  void reset() const {
    c.reset();
    a.reset();
    b.reset();
  }
  bool test(const Expr& e) const {
    if (e->kind != ExprKind::Select) return false;
    auto* n = ir::as<ir::SelectNode>(e);
    return c.test(n->condition) && a.test(n->yes) && b.test(n->no);
  }
  Expr build() const { return std::make_shared<ir::SelectNode>(c.build(), a.build(), b.build()); }
};
template <class C, class A, class B>
Selection<C, A, B> select(const Pattern<C>& c, const Pattern<A>& a, const Pattern<B>& b) {
  return {c.self(), a.self(), b.self()};
}

// Matches a Ramp.
template <class A, class B>
struct RampOf : Pattern<RampOf<A, B>> {
  Hold<A> base;
  Hold<B> stride;
  const Lanes& lanes;
  RampOf(const A& x, const B& y, const Lanes& n) : base(x), stride(y), lanes(n) {}
  bool fits(const Expr& e) const {
    if (e->kind != ExprKind::Ramp) return false;
    auto* n = ir::as<ir::RampNode>(e);
    return base.fits(n->base) && stride.fits(n->stride);
  }
  void reset() const {
    base.reset();
    stride.reset();
    lanes.reset();
  }
  bool test(const Expr& e) const {
    if (e->kind != ExprKind::Ramp) return false;
    auto* n = ir::as<ir::RampNode>(e);
    return base.test(n->base) && stride.test(n->stride) && lanes.test(n->dtype.lanes);
  }
  Expr build() const { return std::make_shared<ir::RampNode>(base.build(), stride.build(), *lanes); }
};
template <class A, class B>
RampOf<A, B> ramp(const Pattern<A>& base, const Pattern<B>& stride, const Lanes& lanes) {
  return {base.self(), stride.self(), lanes};
}

// Matches a Broadcast.
template <class A>
struct BroadcastOf : Pattern<BroadcastOf<A>> {
  Hold<A> value;
  const Lanes& lanes;
  BroadcastOf(const A& x, const Lanes& n) : value(x), lanes(n) {}
  bool fits(const Expr& e) const {
    return e->kind == ExprKind::Broadcast && value.fits(ir::as<ir::BroadcastNode>(e)->value);
  }
  void reset() const {
    value.reset();
    lanes.reset();
  }
  bool test(const Expr& e) const {
    if (e->kind != ExprKind::Broadcast) return false;
    auto* n = ir::as<ir::BroadcastNode>(e);
    return value.test(n->value) && lanes.test(n->dtype.lanes);
  }
  Expr build() const { return std::make_shared<ir::BroadcastNode>(value.build(), *lanes); }
};
template <class A>
BroadcastOf<A> broadcast(const Pattern<A>& value, const Lanes& lanes) {
  return {value.self(), lanes};
}

// A constant with the dtype of what a name matched, as part of a rule's result.
struct Like : Pattern<Like> {
  const Any& name;
  std::int64_t value;
  Like(const Any& n, std::int64_t v) : name(n), value(v) {}
  Expr build() const { return constantOf((*name)->dtype, value); }
};
inline Like like(const Any& name, std::int64_t value) { return {name, value}; }

// Matches if one of the alternatives does (and satisfies the condition); they are tried in order. Holds them by
// reference, so that it must be used in the expression that makes it.
template <class... P>
struct OneOf {
  std::tuple<const P&...> alternatives;
  template <class Condition>
  bool match(const Expr& e, const Condition& condition) const {
    return std::apply([&](const auto&... p) { return (p.match(e, condition) || ...); }, alternatives);
  }
  bool match(const Expr& e) const {
    return match(e, [] { return true; });
  }
};
template <class... P>
OneOf<P...> oneOf(const P&... alternatives) {
  return {std::tuple<const P&...>(alternatives...)};
}

}  // namespace loom::arith::pattern
