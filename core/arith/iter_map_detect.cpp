// Detection of an iterator map: the predicate's constraints, then the indices, then independence.
#include <algorithm>
#include <stdexcept>

#include "core/arith/iter_map_rewriter.h"

namespace loom::arith {
namespace {

using ir::ExprKind;

// lower <= iter < upper; null means no such bound.
struct IterConstraint {
  Expr iter, lower, upper;
};

bool usesAny(const Expr& e, const VarRanges& iters) {
  return ir::usesVar(e, [&](const ir::VarNode* v) { return iters.contains(v); });
}

// Ranges may not be expressions of each other's variables.
bool rangesAreFree(const VarRanges& iters) {
  return std::none_of(iters.begin(), iters.end(), [&](auto& entry) {
    return usesAny(entry.second.min, iters) || usesAny(entry.second.extent, iters);
  });
}

// Adds the terms of `sign * e` that use iterators to `left` and takes the others from `right`.
void separate(const Expr& e, bool positive, const VarRanges& iters, Expr& left, Expr& right) {
  if (e->kind == ExprKind::Add || e->kind == ExprKind::Sub) {
    auto& op = *ir::asBinary(e);
    separate(op.a, positive, iters, left, right);
    separate(op.b, positive == (e->kind == ExprKind::Add), iters, left, right);
  } else if (usesAny(e, iters)) {
    left = positive ? left + e : left - e;
  } else {
    right = positive ? right - e : right + e;
  }
}

// A comparison as bounds on the side that uses iterators; iterator-free terms of both sides are brought together first.
//     i * 4 + j < n + k   →   i * 4 + j - k < n
IterConstraint boundsOf(const ir::BinaryNode& comparison, const VarRanges& iters) {
  bool greater = comparison.kind == ExprKind::GT || comparison.kind == ExprKind::GE;
  bool inclusive = comparison.kind == ExprKind::LE || comparison.kind == ExprKind::GE;
  Expr iter = comparison.a, bound = comparison.b;
  if (!usesAny(iter, iters)) {
    std::swap(iter, bound);
    greater = !greater;
  } else if (usesAny(bound, iters)) {
    Expr difference = comparison.a - comparison.b;
    iter = bound = ir::intImm(0);
    separate(difference, true, iters, iter, bound);
    Analyzer analyzer;
    iter = analyzer.simplify(iter);
    bound = analyzer.simplify(bound);
  }
  if (greater) return {iter, inclusive ? bound : bound + 1, nullptr};
  return {iter, nullptr, inclusive ? bound + 1 : bound};
}

// One comparison of an `and` chain: any part of the kind < comes before <=, then >, then >=, the right part of an `and`
// before its left. `rest` is what remains, null after the last. Null when the predicate is something else.
Expr takeComparison(const Expr& predicate, Expr& rest) {
  auto* both = ir::asBinary(predicate, ExprKind::And);
  for (auto kind : {ExprKind::LT, ExprKind::LE, ExprKind::GT, ExprKind::GE}) {
    if (both && both->b->kind == kind) return rest = both->a, both->b;
    if (both && both->a->kind == kind) return rest = both->b, both->a;
    if (predicate->kind == kind) return rest = nullptr, predicate;
  }
  return nullptr;
}

// The predicate's bounds on one plain iterator narrow its range, the others are listed. False if it is no `and` chain
// of integer comparisons.
bool readPredicate(Expr predicate, VarRanges& iters, std::vector<IterConstraint>& constraints) {
  while (predicate) {
    Expr rest;
    auto comparison = takeComparison(predicate, rest);
    if (!comparison) return false;
    auto& op = *ir::asBinary(comparison);
    if (!op.a->dtype.isIntegral() || !op.b->dtype.isIntegral()) return false;
    predicate = rest;
    if (!usesAny(comparison, iters)) continue;
    auto bounds = boundsOf(op, iters);
    auto* range = ir::asVar(bounds.iter) ? iters.find(ir::asVar(bounds.iter)) : nullptr;
    if (range) {
      Expr first = range->min, end = range->min + range->extent;
      if (bounds.lower) first = ir::maxOf(first, bounds.lower);
      if (bounds.upper) end = ir::minOf(end, bounds.upper);
      *range = {first, ir::isConst(first, 0) ? end : end - first};
    } else if (!ir::asVar(bounds.iter)) {
      constraints.push_back(std::move(bounds));
    }
  }
  return true;
}

std::size_t sizeOf(const Expr& e) {
  std::size_t size = 0;
  ir::forEachExpr(e, [&](const Expr&) { ++size; });
  return size;
}

// Small constraints first: a group must be known before the larger ones that contain it.
void sortBySize(std::vector<IterConstraint>& constraints) {
  std::stable_sort(constraints.begin(), constraints.end(),
                   [](auto& a, auto& b) { return sizeOf(a.iter) < sizeOf(b.iter); });
}

}  // namespace

IterMapResult detectIterMap(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                            IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial) {
  IterMapResult result;
  auto failed = [&](const char* reason) {
    result.errors.emplace_back(reason);
    return result;
  };
  if (!rangesAreFree(iters)) return failed("the range of an iterator uses another iterator");
  VarRanges constrained = iters;
  std::vector<IterConstraint> constraints;
  if (!ir::isConst(predicate, 1) && !readPredicate(predicate, constrained, constraints))
    return failed("the predicate is not a chain of bounds on iterators");
  sortBySize(constraints);

  IterMapRewriter rewriter(constrained, level, simplifyTrivial, analyzer, result.errors);
  for (auto& [iter, lower, upper] : constraints) {
    rewriter.constrain(iter, lower, upper);
    if (!result.errors.empty()) return result;
  }
  if (!rewriter.constraintsFit()) return failed("two constraints share only some of their iterators");

  std::vector<IterSum> sums;
  auto rewriteAll = [&](IterMapRewriter::Round round) {
    sums.clear();
    for (auto& index : indices) {
      sums.push_back(rewriter.rewriteIndex(index, round));
      if (!result.errors.empty()) return false;
    }
    return true;
  };
  bool mayPad = level != IterMapLevel::Bijective;
  if (mayPad && !rewriteAll(IterMapRewriter::Round::CollectPadding)) return result;
  if ((!mayPad || rewriter.requiresPadding()) && !rewriteAll(IterMapRewriter::Round::Final)) return result;
  result.paddingPredicate = rewriter.paddingPredicate();

  if (!rewriter.indicesFit(sums))
    return failed(level == IterMapLevel::Bijective ? "the indices are not a bijection of the iterators"
                                                   : "the indices are not independent");
  result.indices = std::move(sums);
  return result;
}

IterSum normalizeToIterSum(const Expr& index, const VarRanges& iters, Analyzer& analyzer) {
  if (!rangesAreFree(iters)) throw std::logic_error("the range of an iterator uses another iterator");
  std::vector<std::string> errors;
  return IterMapRewriter(iters, IterMapLevel::NoCheck, true, analyzer, errors).rewriteToSum(index);
}

std::vector<Expr> iterMapSimplify(const std::vector<Expr>& indices, const VarRanges& iters, const Expr& predicate,
                                  IterMapLevel level, Analyzer& analyzer, bool simplifyTrivial) {
  if (!rangesAreFree(iters)) return indices;
  auto map = detectIterMap(indices, iters, predicate, level, analyzer, simplifyTrivial);
  // A map found without the predicate holds with it too, unless the points left out make it bijective no more.
  if (!map && !ir::isConst(predicate, 1) && level != IterMapLevel::Bijective)
    map = detectIterMap(indices, iters, ir::boolImm(true), level, analyzer, simplifyTrivial);
  if (!map) return indices;
  std::vector<Expr> simplified;
  for (auto& sum : map.indices) simplified.push_back(normalizeIterMapToExpr(sum, analyzer));
  return simplified;
}

}  // namespace loom::arith
