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
  // Makes an interval. Null stands for an infinite end.
  static IntSet interval(Expr min, Expr max) { return {std::move(min), std::move(max)}; }
  // Makes [min, min + extent - 1]; a point if the extent is the constant 1.
  static IntSet fromMinExtent(const Expr& min, const Expr& extent);
  static IntSet fromRange(const Range& range) { return fromMinExtent(range.min, range.extent); }
  // Returns the values of all lanes of a vector expression; a point for a scalar.
  static IntSet lanesOf(const Expr& value);

  // Return the ends; null if infinite, or if the set is empty.
  const Expr& min() const { return min_; }
  const Expr& max() const { return max_; }
  bool hasLowerBound() const { return min_ != nullptr; }
  bool hasUpperBound() const { return max_ != nullptr; }
  bool isNothing() const { return nothing_; }
  bool isEverything() const { return !nothing_ && !min_ && !max_; }
  // Returns whether both ends are the same node. This is cheap; canProvePoint proves equality.
  bool isPoint() const { return min_ && min_ == max_; }
  const Expr& pointValue() const { return min_; }  // of a point

  bool canProvePoint(Analyzer& analyzer) const;
  bool canProvePositive() const;
  bool canProveNegative() const;
  bool canProveNonPositive() const;
  bool canProveNonNegative() const;
  // Returns the set as [min, min + extent), simplified; `otherwise` if an end is infinite.
  Range coverRange(const Range& otherwise) const;
  // Returns whether the set is provably exactly the range.
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
// Returns the bounds on variables in a condition such as x <= limit, limit > x, x == value, from all parts of an `and`
// chain.
VarBounds boundsIn(const Expr& condition);

// Returns the values of `e` (or of the ranges) if each mapped variable takes every value of its set; unmapped variables
// stand for themselves. Sets may refer to other mapped variables. For vectors this is the set of their lanes; calls and
// loads whose indices vary are everything. The ends aren't simplified.
IntSet evalSet(const Expr& e, const IntSetMap& sets);
// Returns the same, with the facts of the caller's analyzer; `bounds` narrow the sets.
IntSet evalSet(const Expr& e, const IntSetMap& sets, Analyzer& analyzer, const VarBounds& bounds = {});
IntSet evalSet(const Range& range, const IntSetMap& sets);
IntSet evalSet(const IntSet& set, const IntSetMap& sets);
IntRegion evalSet(const std::vector<Range>& region, const IntSetMap& sets);

// Returns the smallest interval that holds all sets, with simplified ends; nothing for no sets.
IntSet unionOf(std::span<const IntSet> sets);
// An interval inside the union: sets that provably touch grow it, others are ignored.
IntSet unionLowerBound(std::span<const IntSet> sets);
IntSet intersect(std::span<const IntSet> sets);
// Returns the union, dimension by dimension. All regions must have the same rank. Empty for no regions.
IntRegion unionRegion(const std::vector<IntRegion>& regions);
IntRegion unionRegionLowerBound(const std::vector<IntRegion>& regions);

}  // namespace loom::arith
