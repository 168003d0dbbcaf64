// Sets of integers, kept as intervals with symbolic ends, and what an expression's value can be when its variables
// range over such sets. Source of the behaviour: TVM 0.22, arith::IntSet.
#pragma once
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/arith/analyzer.h"
#include "core/arith/var_ranges.h"

namespace loom::arith {

// { x | min <= x <= max }, both ends included; an end may be infinite. Results may be larger than the exact set, never
// smaller, unless said otherwise ("LowerBound").
class IntSet {
 public:
  static IntSet nothing();
  static IntSet everything() { return {nullptr, nullptr}; }
  static IntSet point(const Expr& value) { return {value, value}; }
  // Null is the infinite end.
  static IntSet interval(Expr min, Expr max) { return {std::move(min), std::move(max)}; }
  // [min, extent + min - 1]; a point when the extent is the constant 1.
  static IntSet fromMinExtent(const Expr& min, const Expr& extent);
  static IntSet fromRange(const Range& range) { return fromMinExtent(range.min, range.extent); }
  // The values of all lanes of a vector expression; the point for a scalar.
  static IntSet lanesOf(const Expr& value);

  // The ends; null when infinite or when the set is empty.
  const Expr& min() const { return min_; }
  const Expr& max() const { return max_; }
  bool hasLowerBound() const { return min_ != nullptr; }
  bool hasUpperBound() const { return max_ != nullptr; }
  bool isNothing() const { return nothing_; }
  bool isEverything() const { return !nothing_ && !min_ && !max_; }
  // Both ends are one node. Cheap; canProvePoint proves.
  bool isPoint() const { return min_ && min_ == max_; }
  const Expr& pointValue() const { return min_; }  // of a point

  bool canProvePoint(Analyzer& analyzer) const;
  bool canProvePositive() const;
  bool canProveNegative() const;
  bool canProveNonPositive() const;
  bool canProveNonNegative() const;
  // The set as [min, min + extent), simplified; `otherwise` if an end is infinite.
  Range coverRange(const Range& otherwise) const;
  // Whether the set is provably exactly the range.
  bool matches(const Range& range) const;

 private:
  IntSet(Expr min, Expr max) : min_(std::move(min)), max_(std::move(max)) {}
  Expr min_, max_;
  bool nothing_ = false;
};

// One set per dimension of a buffer.
using IntRegion = std::vector<IntSet>;
using IntSetMap = std::unordered_map<const ir::VarNode*, IntSet>;
IntSetMap asIntSets(const VarRanges& ranges);

// Where a variable may lie beyond its domain: facts of the branch one is in.
using VarBounds = std::vector<std::pair<Var, IntSet>>;
// x <= limit, limit > x, x == value and the like, of all parts of an `and` chain.
VarBounds boundsIn(const Expr& condition);

// The values of e (of the ranges) when each mapped variable ranges over its set; unmapped variables stand for
// themselves. Sets may use other mapped variables. Vectors are the set of their lanes; calls and loads whose indices
// vary are everything. The ends are not simplified.
IntSet evalSet(const Expr& e, const IntSetMap& sets);
// The same with the caller's knowledge; `bounds` narrow the sets.
IntSet evalSet(const Expr& e, const IntSetMap& sets, Analyzer& analyzer, const VarBounds& bounds = {});
IntSet evalSet(const Range& range, const IntSetMap& sets);
IntSet evalSet(const IntSet& set, const IntSetMap& sets);
IntRegion evalSet(const std::vector<Range>& region, const IntSetMap& sets);

// The smallest interval that holds all sets, ends simplified; nothing of none.
IntSet unionOf(std::span<const IntSet> sets);
// An interval inside the union: sets that provably touch grow it, others are ignored.
IntSet unionLowerBound(std::span<const IntSet> sets);
IntSet intersect(std::span<const IntSet> sets);
// Dimension by dimension; all regions have one rank. Empty of none.
IntRegion unionRegion(const std::vector<IntRegion>& regions);
IntRegion unionRegionLowerBound(const std::vector<IntRegion>& regions);

}  // namespace loom::arith
