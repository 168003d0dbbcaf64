// Computes which part of a buffer is accessed by a region (one range per dimension) when the variables in it take all
// values of their domains for which a predicate holds. All functions throw std::domain_error if a range divides by the
// constant 0. Source of the behaviour: TVM 0.22, EstimateRegion…Bound.
#pragma once
#include <optional>

#include "core/arith/int_set.h"

namespace loom::arith {

// Returns exactly the accessed part, an interval for each dimension, if it is a box without holes. The begins of all
// dimensions are analysed as one iterator map (iter_map.h); a begin that takes `extent` values `scale` apart, with a
// range of `width`, accesses base … base + (extent - 1) · scale + width - 1. Returns nothing if the part can't be shown
// to be such a box: if the width of a range isn't a constant or isn't proven to be at least the scale, or if dimensions
// depend on each other. With a negative scale, holes aren't noticed (as in TVM).
std::optional<IntRegion> estimateRegionStrictBound(const std::vector<Range>& region, const VarRanges& domains,
                                                   const Expr& predicate, Analyzer& analyzer);
// Returns a region that lies within the accessed part; nothing if none is found. As in TVM, it is the strict bound.
std::optional<IntRegion> estimateRegionLowerBound(const std::vector<Range>& region, const VarRanges& domains,
                                                  const Expr& predicate, Analyzer& analyzer);
// Returns a region that contains the accessed part: the strict bound if there is one, else the same analysis of each
// dimension by itself, and interval arithmetic for dimensions where that fails.
IntRegion estimateRegionUpperBound(const std::vector<Range>& region, const VarRanges& domains, const Expr& predicate,
                                   Analyzer& analyzer);

}  // namespace loom::arith
