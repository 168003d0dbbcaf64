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

// The set { x | min <= x <= max }, both ends included; an end may be infinite. The sets that functions of this file
// return may be larger than the exact set. They aren't smaller, except those of functions called "…LowerBound" and, as
// in TVM, where an expression has a truncated remainder of a negative number or a cast that wraps.
class IntSet {
 public:
  static IntSet nothing();  // the empty set
  // Makes the set of all integers.
  static IntSet everything() { return {nullptr, nullptr}; }
  // Makes the set whose only member is `value`.
  static IntSet point(const Expr& value) { return {value, value}; }
  // Makes an interval. Null stands for an infinite end. That min <= max isn't checked: `isNothing` stays false.
  static IntSet interval(Expr min, Expr max) { return {std::move(min), std::move(max)}; }
  // Makes [min, min + extent - 1]; a point if the extent is the constant 1. `extent` should be positive.
  static IntSet fromMinExtent(const Expr& min, const Expr& extent);
  static IntSet fromRange(const Range& range) { return fromMinExtent(range.min, range.extent); }
  // Returns an interval around the values of all lanes of a vector expression; a point for a scalar.
  static IntSet lanesOf(const Expr& value);

  // Return the ends of the interval; null for an infinite end, and both null for the empty set, which thus has no
  // bound.
  const Expr& min() const { return min_; }
  const Expr& max() const { return max_; }
  bool hasLowerBound() const { return min_ != nullptr; }
  bool hasUpperBound() const { return max_ != nullptr; }
  bool isNothing() const { return nothing_; }
  bool isEverything() const { return !nothing_ && !min_ && !max_; }
  // Returns whether both ends are the same node. This is cheap; canProvePoint proves equality.
  bool isPoint() const { return min_ && min_ == max_; }
  // Returns the only member of a set for which `isPoint` or `canProvePoint` holds.
  const Expr& pointValue() const { return min_; }

  // Return whether all members are proven to be equal, > 0, < 0, <= 0 or >= 0. False means "not proven"; it is the
  // result for the empty set, too. Those without an analyzer know nothing of variables.
  bool canProvePoint(Analyzer& analyzer) const;
  bool canProvePositive() const;
  bool canProveNegative() const;
  bool canProveNonPositive() const;
  bool canProveNonNegative() const;
  // Returns the set as [min, min + extent), simplified; `otherwise` if an end is infinite or the set is empty.
  Range coverRange(const Range& otherwise) const;
  // Returns whether the set is proven to have exactly the members of [range.min, range.min + range.extent).
  bool matches(const Range& range) const;

 private:
  IntSet(Expr min, Expr max) : min_(std::move(min)), max_(std::move(max)) {}
  Expr min_, max_;
  bool nothing_ = false;
};

// One set per dimension of a buffer.
using IntRegion = std::vector<IntSet>;
// The set in which each variable lies.
using IntSetMap = std::unordered_map<const ir::VarNode*, IntSet>;
// Returns the ranges of variables as sets.
IntSetMap asIntSets(const VarRanges& ranges);

// Sets to which variables are restricted in addition to their domains, as by the condition of an enclosing branch. A
// variable may have several.
using VarBounds = std::vector<std::pair<Var, IntSet>>;
// Returns the bounds that a condition sets to variables: each operand of its tree of `and`s that is a comparison <, <=,
// >, >= or == with a variable alone on one side gives one, x <= limit or limit > x (two if both sides are variables).
// Other operands are ignored. Empty if there are none.
VarBounds boundsIn(const Expr& condition);

// Returns the values that `e` takes if each variable in `sets` takes every value of its set; other variables stand for
// themselves. Sets may refer to other variables in `sets`. For a vector the result holds the values of all lanes; for a
// call, a Let, a Not, a constant that is no integer, and a load of non-integers or at indices that use a variable in
// `sets`, it is everything().
// The ends aren't simplified. Throws std::domain_error if `e` divides a set by the constant 0, as do the other evalSet
// functions.
IntSet evalSet(const Expr& e, const IntSetMap& sets);
// Returns the values of `e` with what `analyzer` knows, and with the sets narrowed by `bounds`.
IntSet evalSet(const Expr& e, const IntSetMap& sets, Analyzer& analyzer, const VarBounds& bounds = {});
// Return the values of all members of a range or set whose ends use variables in `sets`, or of the range of each
// dimension of a region.
IntSet evalSet(const Range& range, const IntSetMap& sets);
IntSet evalSet(const IntSet& set, const IntSetMap& sets);
IntRegion evalSet(const std::vector<Range>& region, const IntSetMap& sets);

// Returns an interval that holds all sets: from the least of their lower ends to the greatest of their upper ends, both
// simplified. A single set is returned as it is; the empty set if there are no sets.
IntSet unionOf(std::span<const IntSet> sets);
// Returns an interval that lies inside the union of the sets: it begins with the first set that isn't empty and grows
// by each further set that is proven to touch or overlap it; other sets are ignored. The empty set if there are no
// sets.
IntSet unionLowerBound(std::span<const IntSet> sets);
// Returns the members that all sets have, with simplified ends. A single set is returned as it is; the empty set if
// there are no sets.
IntSet intersect(std::span<const IntSet> sets);
// Return `unionOf` or `unionLowerBound` of the regions' sets, dimension by dimension. All regions must have the same
// number of dimensions. Empty if there are no regions.
IntRegion unionRegion(const std::vector<IntRegion>& regions);
IntRegion unionRegionLowerBound(const std::vector<IntRegion>& regions);

}  // namespace loom::arith
