#include "core/arith/analyzer.h"

#include <cstdlib>
#include <stdexcept>

#include "core/arith/constraints.h"
#include "core/arith/int_set.h"
#include "core/arith/state.h"

namespace loom::arith {

using namespace ir;

namespace {

[[noreturn]] void boundTwice(const Var& var) {
  throw std::logic_error("variable " + var->name + " is bound to something else already");
}

// a < b because the least value of b - a, with symbolic ends of the ranges, is at least 1; and so on.
bool proveBySets(AnalyzerState& s, const Expr& condition) {
  auto* n = asBinary(condition);
  if (!n || n->kind < ExprKind::LT || n->kind > ExprKind::GE) return false;
  bool less = n->kind == ExprKind::LT || n->kind == ExprKind::LE;
  Expr difference = less ? n->b - n->a : n->a - n->b;
  IntSetMap sets;
  for (const auto& [var, facts] : s.facts)
    if (facts.domain.extent) sets.emplace(var, IntSet::fromRange(facts.domain));
  VarBounds bounds;
  for (const Expr& c : s.conditions)
    for (auto& b : boundsIn(c)) bounds.push_back(std::move(b));
  IntSet set = evalSet(s.analyzer.simplify(difference), sets, s.analyzer, bounds);
  if (!set.hasLowerBound()) return false;
  bool strict = n->kind == ExprKind::LT || n->kind == ExprKind::GT;
  return s.analyzer.constIntBound(s.analyzer.simplify(set.min())).min >= (strict ? 1 : 0);
}

}  // namespace

void AnalyzerState::updateBound(const Var& var, ConstIntBound bound, bool allowOverride) {
  VarFacts& f = factsFor(var);
  if (!allowOverride && f.bound && *f.bound != bound) boundTwice(var);
  f.bound = bound;
}

void AnalyzerState::updateModular(const Var& var, ModularSet set, bool allowOverride) {
  VarFacts& f = factsFor(var);
  if (!allowOverride && f.modular && *f.modular != set) boundTwice(var);
  f.modular = set;
}

void AnalyzerState::updateValue(const Var& var, const Expr& value, bool allowOverride) {
  VarFacts& f = factsFor(var);
  if (!allowOverride && f.value && !deepEqual(f.value, value)) boundTwice(var);
  f.value = value;
}

Analyzer::Analyzer() : state_(std::make_unique<AnalyzerState>(*this)) {}
Analyzer::~Analyzer() = default;

void Analyzer::bind(const Var& var, const Expr& value, bool allowOverride) {
  Expr simple = rewriteSimplify(canonicalSimplify(value));
  state_->updateBound(var, constIntBound(simple), allowOverride);
  state_->updateModular(var, modularSet(simple), allowOverride);
  state_->updateValue(var, simple, allowOverride);
  Range point{value, constantOf(var->dtype, 1)};
  state_->factsFor(var).domain = Range{simple, point.extent};
  state_->comparisons.bind(var, point, allowOverride);
}

void Analyzer::bind(const Var& var, const Range& range, bool allowOverride) {
  if (isConst(range.extent, 1)) return bind(var, range.min, allowOverride);
  state_->updateBound(var, boundOfRange(*state_, range), allowOverride);
  state_->factsFor(var).domain = range;
  state_->comparisons.bind(var, range, allowOverride);
}

void Analyzer::markNonNegative(const Expr& value) {
  std::int64_t offset = 0, scale = 1;
  Expr scaled = constantOf(value->dtype, 0), symbol = constantOf(value->dtype, 1);
  forEachTerm(value, [&](const Expr& term, int sign) {
    if (auto* i = asInt(term)) {
      offset += sign * i->value;
    } else {
      scaled = make(sign > 0 ? ExprKind::Add : ExprKind::Sub, scaled, term);
    }
  });
  forEachFactor(scaled, [&](const Expr& factor) {
    if (auto* i = asInt(factor)) {
      scale *= i->value;
    } else {
      symbol = make(ExprKind::Mul, symbol, factor);
    }
  });
  if (scale > 0 && symbol->kind == ExprKind::Var && isIndexType(symbol->dtype))
    state_->updateBound(varOf(symbol), {-offset, kPosInf}, true);
}

Expr Analyzer::rewriteSimplify(const Expr& e) {
  Expr once = state_->rewriter.visit(e);
  return once == e ? once : state_->rewriter.visit(once);
}

Expr Analyzer::canonicalSimplify(const Expr& e) { return state_->canonical.visit(e); }

// Canonical form first: rewriting may destroy the structure it relies on.
Expr Analyzer::simplify(const Expr& e, int steps) {
  if (isConstNumber(e)) return e;
  Expr r = canonicalSimplify(e);
  for (int i = 0; i < steps && !isConstInt(r); ++i) r = i % 2 == 0 ? rewriteSimplify(r) : canonicalSimplify(r);
  return r;
}

Expr Analyzer::simplifyOwn(const Expr& e) {
  if (isConstNumber(e)) return e;
  const int unsettled = state_->canonical.unsettled();
  Expr r = canonicalSimplify(e);
  const bool settled = state_->canonical.unsettled() == unsettled;
  if (isConstInt(r)) return r;
  Expr rewritten = rewriteSimplify(r);
  return (settled && rewritten == r) || isConstInt(rewritten) ? rewritten : canonicalSimplify(rewritten);
}

bool Analyzer::canProveGreaterEqual(const Expr& e, std::int64_t lowerBound) {
  if (auto* i = asInt(e)) return i->value >= lowerBound;
  return constIntBound(rewriteSimplify(e)).min >= lowerBound;
}

bool Analyzer::canProveLess(const Expr& e, std::int64_t upperBound) {
  if (auto* i = asInt(e)) return i->value < upperBound;
  return constIntBound(rewriteSimplify(e)).max < upperBound;
}

bool Analyzer::canProveEqual(const Expr& a, const Expr& b) {
  auto *x = asInt(a), *y = asInt(b);
  if (x && y) return x->value == y->value;
  if (a->dtype.isHandle() || b->dtype.isHandle()) return a == b;
  return canProve(eq(a - b, constantOf(a->dtype, 0)));
}

bool Analyzer::canProveLessEqualThanSymbolicShape(const Expr& a, const Expr& shape) {
  if (canProve(le(a, shape), Strength::SymbolicBound)) return true;
  if (isConstInt(shape)) return false;
  std::int64_t scale = 1;
  forEachFactor(shape, [&](const Expr& factor) { scale *= constantOr(factor, 1); });
  return canProve(le(a, constantOf(shape->dtype, std::abs(scale))), Strength::SymbolicBound);
}

bool Analyzer::canProve(const Expr& condition, Strength strength) {
  if (auto* i = asInt(condition)) return i->value != 0;
  Expr simple = simplify(condition);
  if (auto* i = asInt(simple); i && i->value != 0) return true;
  return strength == Strength::SymbolicBound && proveBySets(*state_, condition);
}

ConstIntBound Analyzer::constIntBound(const Expr& e) { return boundOf(*state_, e); }
ModularSet Analyzer::modularSet(const Expr& e) { return modularSetOf(*state_, e); }
void Analyzer::setExtensions(unsigned extensions) { state_->rewriter.setExtensions(extensions); }

struct Analyzer::Constraint::Undo {
  AnalyzerState& state;
  std::size_t bounds = 0, conditions = 0, literals = 0, comparisons = 0;
  Var modularVar = nullptr;
  std::optional<ModularSet> modular = std::nullopt;
};

Analyzer::Constraint Analyzer::enter(const Expr& condition) {
  auto undo = std::make_unique<Constraint::Undo>(Constraint::Undo{*state_});
  undo->bounds = state_->knownBounds.size();
  for (KnownBound& b : boundsFrom(condition)) state_->knownBounds.push_back(std::move(b));
  if (auto found = modularSetFrom(condition)) {
    VarFacts& f = state_->factsFor(found->first);
    undo->modularVar = found->first;
    undo->modular = f.modular;
    f.modular = intersect(f.modular.value_or(ModularSet{}), found->second);
  }
  undo->conditions = state_->conditions.size();
  state_->conditions.push_back(condition);
  undo->literals = state_->rewriter.enter(condition);
  undo->comparisons = state_->comparisons.enter(condition);
  return Constraint(std::move(undo));
}

Analyzer::Constraint::Constraint(std::unique_ptr<Undo> undo) : undo_(std::move(undo)) {}
Analyzer::Constraint::Constraint(Constraint&& other) noexcept = default;
Analyzer::Constraint::~Constraint() {
  if (!undo_) return;
  AnalyzerState& s = undo_->state;
  s.comparisons.leave(undo_->comparisons);
  s.rewriter.leave(undo_->literals);
  if (undo_->modularVar) s.factsFor(undo_->modularVar).modular = undo_->modular;
  s.conditions.resize(undo_->conditions);
  s.knownBounds.resize(undo_->bounds);
}

}  // namespace loom::arith
