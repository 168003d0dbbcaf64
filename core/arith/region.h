// Which part of a buffer is touched when the variables of an access's region range over their domains and a predicate
// holds. Source of the behaviour: TVM 0.22, EstimateRegion…Bound.
#pragma once
#include <optional>

#include "core/arith/int_set.h"

namespace loom::arith {

// Exactly the touched box, without holes: per dimension base .. base + (extent - 1) * scale + width - 1, from one joint
// iterator map (iter_map.h). Nothing when that cannot be shown: extents that are not constant, dimensions that depend
// on each other, widths that do not cover the stride.
std::optional<IntRegion> estimateRegionStrictBound(const std::vector<Range>& region, const VarRanges& domains,
                                                   const Expr& predicate, Analyzer& analyzer);
// At most what is touched; TVM's is the strict bound.
std::optional<IntRegion> estimateRegionLowerBound(const std::vector<Range>& region, const VarRanges& domains,
                                                  const Expr& predicate, Analyzer& analyzer);
// At least what is touched: the strict bound, or each dimension by itself, or interval evaluation.
IntRegion estimateRegionUpperBound(const std::vector<Range>& region, const VarRanges& domains, const Expr& predicate,
                                   Analyzer& analyzer);

}  // namespace loom::arith
