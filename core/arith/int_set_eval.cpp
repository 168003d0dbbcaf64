// Interval evaluation: an expression's tree is walked bottom-up, each node combining its operands' sets.
#include "core/arith/comparisons.h"
#include "core/arith/interval.h"
#include "core/ir/visit.h"

namespace loom::arith {
namespace {

using ir::as;
using ir::ExprKind;

class Evaluator {
 public:
  Evaluator(const IntSetMap& sets, Analyzer& analyzer, std::span<const VarBounds::value_type> bounds = {})
      : sets_(sets), analyzer_(analyzer), bounds_(bounds) {}

  IntSet eval(const Expr& e) {
    if (auto* op = ir::asBinary(e)) return evalBinary(e, *op);
    switch (e->kind) {
      case ExprKind::IntImm: return IntSet::point(e);
      case ExprKind::Var: return evalVar(e);
      case ExprKind::Cast: return evalCast(*as<ir::CastNode>(e));
      case ExprKind::Select: return hull(eval(as<ir::SelectNode>(e)->no), eval(as<ir::SelectNode>(e)->yes));
      case ExprKind::Load: return evalLoad(e);
      case ExprKind::Ramp: return evalRamp(*as<ir::RampNode>(e));
      case ExprKind::Broadcast: return eval(as<ir::BroadcastNode>(e)->value);
      default: return IntSet::everything();
    }
  }

  // The set with its own ends relaxed: [i, i + 3] with i in [0, 7] is [0, 10]. Bounded by the number of variables, so
  // that sets that mention each other end.
  IntSet relax(const IntSet& set) {
    if (depth_ >= sets_.size() || set.isNothing()) return set;
    ++depth_;
    IntSet low = set.min() ? eval(set.min()) : IntSet::everything();
    IntSet high = set.max() ? eval(set.max()) : IntSet::everything();
    --depth_;
    return low.isNothing() || high.isNothing() ? IntSet::nothing() : IntSet::interval(low.min(), high.max());
  }

 private:
  IntSet evalVar(const Expr& e) {
    std::vector<IntSet> known;
    for (auto& [var, set] : bounds_)
      if (var == e) known.push_back(set);
    if (auto it = sets_.find(as<ir::VarNode>(e)); it != sets_.end()) known.push_back(it->second);
    if (known.empty()) return IntSet::point(e);
    IntSet set = intersect(known);
    return set.isPoint() && set.pointValue() == e ? set : relax(set);
  }

  IntSet evalBinary(const Expr& e, const ir::BinaryNode& op) {
    IntSet a = eval(op.a), b = eval(op.b);
    if (a.isPoint() && a.pointValue() == op.a && b.isPoint() && b.pointValue() == op.b) return IntSet::point(e);
    return combine(op, std::move(a), std::move(b), analyzer_);
  }

  IntSet evalCast(const ir::CastNode& op) {
    IntSet value = eval(op.value);
    if (value.isNothing()) return value;
    if (value.isPoint()) return IntSet::point(ir::cast(op.dtype, value.pointValue()));
    auto end = [&](const Expr& x) { return x ? ir::cast(op.dtype, x) : nullptr; };
    return IntSet::interval(end(value.min()), end(value.max()));
  }

  // Nothing is known about the data: a load from a fixed place is itself, any other could be anything.
  IntSet evalLoad(const Expr& e) {
    if (!e->dtype.isIntegral()) return IntSet::everything();
    for (auto& index : as<ir::LoadNode>(e)->indices)
      if (ir::usesVar(index, [&](const ir::VarNode* v) { return sets_.count(v) > 0; })) return IntSet::everything();
    return IntSet::point(e);
  }

  IntSet evalRamp(const ir::RampNode& op) {
    auto* stride = ir::asInt(op.stride);
    if (!stride) return IntSet::everything();
    auto type = op.base->dtype;
    Expr first = ir::zero(type), last = ir::intImm(stride->value * (op.dtype.lanes - 1), type);
    IntSet lanes = stride->value > 0 ? IntSet::interval(first, last) : IntSet::interval(last, first);
    auto sum = ir::binary(ExprKind::Add, op.base, last);
    return combine(*ir::asBinary(sum), eval(op.base), lanes, analyzer_);
  }

  const IntSetMap& sets_;
  Analyzer& analyzer_;
  std::span<const VarBounds::value_type> bounds_;
  std::size_t depth_ = 0;
};

// What `a kind b` says about a variable on its left.
void addBound(const Expr& a, ExprKind kind, const Expr& b, VarBounds& bounds) {
  if (!ir::asVar(a)) return;
  auto known = [&](IntSet set) { bounds.emplace_back(ir::varOf(a), std::move(set)); };
  switch (kind) {
    case ExprKind::LE: return known(IntSet::interval(nullptr, b));
    case ExprKind::LT: return known(IntSet::interval(nullptr, b - 1));
    case ExprKind::GE: return known(IntSet::interval(b, nullptr));
    case ExprKind::GT: return known(IntSet::interval(b + 1, nullptr));
    case ExprKind::EQ: return known(IntSet::point(b));
    default: return;
  }
}

void collectBounds(const Expr& condition, VarBounds& bounds) {
  auto* op = ir::asBinary(condition);
  if (!op) return;
  if (op->kind == ExprKind::And) {
    collectBounds(op->a, bounds);
    collectBounds(op->b, bounds);
  } else if (ir::isComparison(op->kind)) {
    addBound(op->a, op->kind, op->b, bounds);
    addBound(op->b, swappedComparison(op->kind), op->a, bounds);
  }
}

}  // namespace

VarBounds boundsIn(const Expr& condition) {
  VarBounds bounds;
  collectBounds(condition, bounds);
  return bounds;
}

IntSet evalSet(const Expr& e, const IntSetMap& sets) {
  Analyzer analyzer;
  return evalSet(e, sets, analyzer);
}

IntSet evalSet(const Expr& e, const IntSetMap& sets, Analyzer& analyzer, const VarBounds& bounds) {
  return Evaluator(sets, analyzer, bounds).eval(e);
}

IntSet evalSet(const Range& range, const IntSetMap& sets) {
  Analyzer analyzer;
  Evaluator evaluator(sets, analyzer);
  if (range.min->dtype.isIntegral() && analyzer.canProveEqual(range.extent, ir::intImm(1, range.extent->dtype)))
    return evaluator.eval(range.min);
  // Simplified first: min and extent may share variables.
  return evaluator.relax(IntSet::interval(range.min, analyzer.simplify(range.min + range.extent - 1)));
}

IntSet evalSet(const IntSet& set, const IntSetMap& sets) {
  if (set.isNothing()) return set;
  Analyzer analyzer;
  Evaluator evaluator(sets, analyzer);
  IntSet low = set.min() ? evaluator.eval(set.min()) : IntSet::everything();
  IntSet high = set.max() ? evaluator.eval(set.max()) : IntSet::everything();
  return low.isNothing() || high.isNothing() ? IntSet::nothing() : IntSet::interval(low.min(), high.max());
}

IntRegion evalSet(const std::vector<Range>& region, const IntSetMap& sets) {
  Analyzer analyzer;
  Evaluator evaluator(sets, analyzer);
  IntRegion result;
  for (auto& range : region) {
    auto last = analyzer.simplify(range.min + (range.extent - 1));
    result.push_back(evaluator.relax(IntSet::interval(range.min, last)));
  }
  return result;
}

}  // namespace loom::arith
