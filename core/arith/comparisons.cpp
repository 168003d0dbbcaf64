#include "core/arith/comparisons.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "core/arith/constraints.h"
#include "core/arith/pattern.h"
#include "core/ir/build.h"

namespace loom::arith {

using namespace pattern;
using ir::ExprKind;

namespace {

constexpr std::size_t kUsualKnown = 16;  // statements: room for them is made at once

Outcome swappedOutcome(Outcome o) {
  switch (o) {
    case Outcome::LT: return Outcome::GT;
    case Outcome::LE: return Outcome::GE;
    case Outcome::GT: return Outcome::LT;
    case Outcome::GE: return Outcome::LE;
    default: return o;
  }
}

struct Offset {
  Expr symbol;
  std::int64_t offset;
};
Offset splitOffset(const Expr& e) {
  Any x;
  Const c;
  if ((x + c).match(e)) return {*x, *c};
  if ((x - c).match(e)) return {*x, -*c};
  if (c.match(e)) return {ir::intImm(0), *c};
  return {e, 0};
}

}  // namespace

Comparisons::Known::Known(Key l, Key r, std::int64_t o, Outcome c) : lhs(l), rhs(r), offset(o), outcome(c) {
  if (c == Outcome::LT) outcome = Outcome::LE, offset -= 1;
  if (c == Outcome::GT) outcome = Outcome::GE, offset += 1;
}

std::optional<Comparisons::Known> Comparisons::Known::withLhs(Key key) const {
  if (key == lhs) return *this;
  if (key == rhs) return Known(rhs, lhs, -offset, swappedOutcome(outcome));
  return std::nullopt;
}

bool Comparisons::Known::implies(const Known& other) const {
  if (outcome == other.outcome && offset == other.offset) return true;
  bool eq = outcome == Outcome::EQ;
  if (other.outcome == Outcome::LE && offset <= other.offset && (eq || outcome == Outcome::LE)) return true;
  if (other.outcome == Outcome::GE && offset >= other.offset && (eq || outcome == Outcome::GE)) return true;
  if (other.outcome != Outcome::NE) return false;
  return (eq && offset != other.offset) || (outcome == Outcome::LE && offset < other.offset) ||
         (outcome == Outcome::GE && offset > other.offset);
}

std::optional<Comparisons::Key> Comparisons::find(const Expr& e) const {
  if (e->kind == ExprKind::Var) {
    auto it = variables_.find(ir::as<ir::VarNode>(e));
    return it == variables_.end() ? std::nullopt : std::optional<Key>(it->second.key);
  }
  for (const auto& [known, key] : expressions_)
    if (deepEqual(known, e)) return key;
  return std::nullopt;
}

Comparisons::Variable& Comparisons::variableOf(const ir::Var& var) {
  auto [it, fresh] = variables_.try_emplace(var.get());
  if (fresh) it->second = Variable{var, nextKey_++, {}};
  return it->second;
}

Comparisons::Key Comparisons::keyOf(const Expr& e) {
  if (e->kind == ExprKind::Var) return variableOf(ir::varOf(e)).key;
  if (auto known = find(e)) return *known;
  expressions_.emplace_back(e, nextKey_);
  return nextKey_++;
}

std::optional<Comparisons::Known> Comparisons::knownOf(ExprKind kind, const Expr& a, const Expr& b) {
  if (!ir::isComparison(kind)) return std::nullopt;
  if (isConstInt(a) && isConstInt(b)) return std::nullopt;
  Outcome outcome = Outcome::NE;
  switch (kind) {
    case ExprKind::LE: outcome = Outcome::LE; break;
    case ExprKind::GE: outcome = Outcome::GE; break;
    case ExprKind::LT: outcome = Outcome::LT; break;
    case ExprKind::GT: outcome = Outcome::GT; break;
    case ExprKind::EQ: outcome = Outcome::EQ; break;
    default: break;
  }
  Offset l = splitOffset(a), r = splitOffset(b);
  Key lhs = keyOf(l.symbol), rhs = keyOf(r.symbol);
  return Known(lhs, rhs, r.offset - l.offset, outcome);
}

void Comparisons::add(const Expr& condition, std::vector<Known>& to) {
  if (effectOf(condition) != Effect::Pure) return;
  forEachConjunct(condition, [&](const Expr& part) {
    const auto* n = ir::asBinary(part);
    if (!n) return;
    if (auto known = knownOf(part->kind, n->a, n->b)) to.push_back(*known);
  });
}

void Comparisons::addOf(Key variable, Outcome outcome, const Expr& other) {
  if (effectOf(other) != Effect::Pure) return;
  const Offset o = splitOffset(other);
  known_.emplace_back(variable, keyOf(o.symbol), o.offset, outcome);
}

void Comparisons::bind(const ir::Var& var, const ir::Range& range, bool allowOverride) {
  if (known_.empty()) known_.reserve(kUsualKnown);
  Variable& v = variableOf(var);
  if (v.range.extent && (!deepEqual(range.min, v.range.min) || !deepEqual(range.extent, v.range.extent))) {
    if (!allowOverride) throw std::logic_error("variable " + var->name + " is bound to another range already");
    std::erase_if(known_, [&](const Known& k) { return k.lhs == v.key; });
  }
  v.range = range;
  if (ir::isConst(range.extent, 1)) {
    addOf(v.key, Outcome::EQ, range.min);
  } else {
    addOf(v.key, Outcome::GE, range.min);
    addOf(v.key, Outcome::LT, make(ExprKind::Add, range.min, range.extent));
  }
}

std::size_t Comparisons::enter(const Expr& condition) {
  std::size_t mark = scoped_.size();
  add(condition, scoped_);
  return mark;
}

// Everything the statements say about lhs and rhs by way of other expressions.
std::vector<Comparisons::Known> Comparisons::chainsFrom(Key lhs, Key rhs) const {
  std::set<Key> seen, open;
  std::map<Key, std::vector<Known>> reached;
  auto declare = [&](const Known& k) {
    auto& known = reached[k.rhs];
    for (const Known& prev : known)
      if (prev.implies(k)) return;
    if (k.rhs != rhs && seen.insert(k.rhs).second) open.insert(k.rhs);
    for (Known& prev : known)
      if (k.implies(prev)) {
        prev = k;
        return;
      }
    known.push_back(k);
  };
  forEachKnown([&](const Known& k) {
    if (auto from = k.withLhs(lhs)) declare(*from);
  });
  while (!open.empty()) {
    Key middle = *open.begin();
    open.erase(open.begin());
    std::vector<Known> found;
    forEachKnown([&](const Known& k) {
      auto step = k.withLhs(middle);
      if (!step || step->rhs == lhs) return;
      for (const Known& prev : reached.at(middle)) {
        Outcome o = Outcome::Unknown;
        if (prev.outcome == Outcome::EQ) {
          o = step->outcome;
        } else if (step->outcome == Outcome::EQ) {
          o = prev.outcome;
        } else if (prev.outcome == step->outcome && (prev.outcome == Outcome::LE || prev.outcome == Outcome::GE)) {
          o = prev.outcome;
        }
        if (o != Outcome::Unknown) found.emplace_back(lhs, step->rhs, prev.offset + step->offset, o);
      }
    });
    for (const Known& k : found) declare(k);
  }
  return reached[rhs];
}

Outcome Comparisons::compare(const Expr& a, const Expr& b, bool chains) const {
  if (!a->dtype.isInt() || !b->dtype.isInt()) return Outcome::Unknown;
  auto *x = ir::asInt(a), *y = ir::asInt(b);
  if (x && y) return x->value < y->value ? Outcome::LT : x->value > y->value ? Outcome::GT : Outcome::EQ;
  if (known_.empty() && scoped_.empty()) return Outcome::Unknown;
  Offset l = splitOffset(a), r = splitOffset(b);
  auto lhs = find(l.symbol);
  if (!lhs) return Outcome::Unknown;
  auto rhs = find(r.symbol);
  if (!rhs) return Outcome::Unknown;
  std::int64_t offset = r.offset - l.offset;

  Outcome result = Outcome::Unknown;
  auto merge = [&](const Known& k) {
    switch (k.outcome) {
      case Outcome::EQ: result = result & (offset == k.offset ? Outcome::EQ : Outcome::NE); break;
      case Outcome::LE:
        if (k.offset <= offset) result = result & (k.offset < offset ? Outcome::LT : Outcome::LE);
        break;
      case Outcome::GE:
        if (k.offset >= offset) result = result & (k.offset > offset ? Outcome::GT : Outcome::GE);
        break;
      case Outcome::NE:
        if (offset == k.offset) result = result & Outcome::NE;
        break;
      default: break;
    }
  };
  if (chains) {
    for (const Known& k : chainsFrom(*lhs, *rhs)) merge(k);
    for (const Known& k : chainsFrom(*rhs, *lhs)) merge(*k.withLhs(*lhs));
  } else {
    forEachKnown([&](const Known& k) {
      auto from = k.withLhs(*lhs);
      if (from && from->rhs == *rhs) merge(*from);
    });
  }
  return result;
}

ir::ExprKind swappedComparison(ir::ExprKind kind) {
  switch (kind) {
    case ir::ExprKind::LT: return ir::ExprKind::GT;
    case ir::ExprKind::LE: return ir::ExprKind::GE;
    case ir::ExprKind::GT: return ir::ExprKind::LT;
    case ir::ExprKind::GE: return ir::ExprKind::LE;
    default: return kind;
  }
}

}  // namespace loom::arith
