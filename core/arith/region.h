// Which part of a buffer is touched when the variables of an access's region range over their domains and a predicate
// holds. Source of the behaviour: TVM 0.22, EstimateRegion…Bound.
#pragma once
#include <optional>

#include "core/arith/int_set.h"

namespace loom::arith {

// Returns exactly the box that is touched, if it has no holes: per dimension base … base + (extent - 1) · scale + width
// - 1, from one joint iterator map (iter_map.h). Returns nothing if that can't be shown: for extents that aren't
// constant, dimensions that depend on each other, and widths that don't cover the stride.
std::optional<IntRegion> estimateRegionStrictBound(const std::vector<Range>& region, const VarRanges& domains,
                                                   const Expr& predicate, Analyzer& analyzer);
// Returns a region that lies within what is touched. In TVM this is the strict bound.
std::optional<IntRegion> estimateRegionLowerBound(const std::vector<Range>& region, const VarRanges& domains,
                                                  const Expr& predicate, Analyzer& analyzer);
// Returns a region that contains what is touched: the strict bound, or each dimension by itself, or interval
// evaluation.
IntRegion estimateRegionUpperBound(const std::vector<Range>& region, const VarRanges& domains, const Expr& predicate,
                                   Analyzer& analyzer);

}  // namespace loom::arith
