#include "core/arith/region.h"

#include <stdexcept>

#include "core/arith/iter_map.h"

namespace loom::arith {
namespace {

bool isNumber(const Expr& e) {
  return e->kind == ir::ExprKind::IntImm || e->kind == ir::ExprKind::FloatImm ||
         (e->kind == ir::ExprKind::Broadcast && isNumber(ir::as<ir::BroadcastNode>(e)->value));
}

// The values of start + [0, width), where start is a fused iterator. Consecutive starts are `scale` apart, so there are
// no holes when width >= scale.
//     i * 4 + 1 for i in [0, 8), width 4   →   [1, 32]
std::optional<IntSet> touched(const IterSum& start, const Expr& width, Analyzer& analyzer) {
  auto isZero = [&](const Expr& e) { return analyzer.canProve(ir::eq(e, ir::zero(e->dtype))); };
  if (isZero(width)) return IntSet::nothing();
  if (start->args.empty()) return IntSet::fromMinExtent(start->base, width);
  if (start->args.size() != 1) throw std::logic_error("the start of a region is not one fused iterator");
  auto& split = *start->args[0];
  if (isZero(split.extent)) return IntSet::nothing();
  if (!analyzer.canProve(ir::ge(width, split.scale))) return std::nullopt;
  auto travel = (split.extent - 1) * split.scale;
  if (analyzer.canProve(ir::lt(split.scale, ir::zero(split.scale->dtype))))
    return IntSet::fromMinExtent(start->base + travel, width - travel);
  return IntSet::fromMinExtent(start->base, width + travel);
}

}  // namespace

std::optional<IntRegion> estimateRegionStrictBound(const std::vector<Range>& region, const VarRanges& domains,
                                                   const Expr& predicate, Analyzer& analyzer) {
  std::vector<Expr> starts;
  for (auto& range : region) {
    if (!isNumber(range.extent)) return std::nullopt;
    starts.push_back(range.min);
  }
  auto map = detectIterMap(starts, domains, predicate, IterMapLevel::Surjective, analyzer);
  if (!map) return std::nullopt;
  IntRegion result;
  for (std::size_t dim = 0; dim < region.size(); ++dim) {
    auto set = touched(map.indices[dim], region[dim].extent, analyzer);
    if (!set) return std::nullopt;
    result.push_back(*set);
  }
  return result;
}

std::optional<IntRegion> estimateRegionLowerBound(const std::vector<Range>& region, const VarRanges& domains,
                                                  const Expr& predicate, Analyzer& analyzer) {
  return estimateRegionStrictBound(region, domains, predicate, analyzer);
}

IntRegion estimateRegionUpperBound(const std::vector<Range>& region, const VarRanges& domains, const Expr& predicate,
                                   Analyzer& analyzer) {
  if (auto strict = estimateRegionStrictBound(region, domains, predicate, analyzer)) return *strict;
  IntRegion result;
  auto sets = asIntSets(domains);
  for (auto& range : region) {
    auto map = detectIterMap({range.min}, domains, predicate, IterMapLevel::Surjective, analyzer);
    auto set = map ? touched(map.indices[0], range.extent, analyzer) : std::nullopt;
    result.push_back(set ? *set : evalSet(range, sets));
  }
  return result;
}

}  // namespace loom::arith
