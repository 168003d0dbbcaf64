#include "core/arith/int_set.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "core/arith/interval.h"

namespace loom::arith {

IntSet IntSet::nothing() {
  IntSet set(nullptr, nullptr);
  set.nothing_ = true;
  return set;
}

IntSet IntSet::fromMinExtent(const Expr& min, const Expr& extent) {
  if (ir::isConst(extent, 1)) return point(min);
  return interval(min, extent + min - 1);
}

IntSet IntSet::lanesOf(const Expr& value) {
  return value->dtype.isScalar() ? point(value) : evalSet(value, IntSetMap{});
}

bool IntSet::canProvePoint(Analyzer& analyzer) const {
  return isPoint() || (min_ && max_ && analyzer.canProveEqual(min_, max_));
}

namespace {

// Whether the simplified end is a constant for which `accept` holds.
template <class Accept>
bool provesEnd(const Expr& end, Accept accept) {
  if (!end) return false;
  Analyzer analyzer;
  auto simple = analyzer.simplify(end);
  auto* value = ir::asInt(simple);
  return value && accept(value->value);
}

}  // namespace

bool IntSet::canProvePositive() const {
  return provesEnd(min_, [](auto v) { return v > 0; });
}
bool IntSet::canProveNegative() const {
  return provesEnd(max_, [](auto v) { return v < 0; });
}
bool IntSet::canProveNonPositive() const {
  return provesEnd(max_, [](auto v) { return v <= 0; });
}
bool IntSet::canProveNonNegative() const {
  return provesEnd(min_, [](auto v) { return v >= 0; });
}

Range IntSet::coverRange(const Range& otherwise) const {
  if (!min_ || !max_) return otherwise;
  Analyzer analyzer;
  return {analyzer.simplify(min_), analyzer.simplify(max_ + 1 - min_)};
}

bool IntSet::matches(const Range& range) const {
  if (!min_ || !max_) return false;
  Analyzer analyzer;
  return ir::isConst(analyzer.simplify(min_ - range.min), 0) &&
         ir::isConst(analyzer.simplify(max_ - (range.extent + range.min - 1)), 0);
}

IntSetMap asIntSets(const VarRanges& ranges) {
  IntSetMap sets;
  for (auto& [var, range] : ranges) sets.emplace(var.get(), IntSet::fromRange(range));
  return sets;
}

// --- ends that may be infinite ---

Expr lowerOf(const Expr& a, const Expr& b) { return a && b ? minOf(a, b) : nullptr; }
Expr upperOf(const Expr& a, const Expr& b) { return a && b ? maxOf(a, b) : nullptr; }
Expr raised(const Expr& lower, const Expr& by) { return lower && by ? maxOf(lower, by) : lower ? lower : by; }
Expr lowered(const Expr& upper, const Expr& by) { return upper && by ? minOf(upper, by) : upper ? upper : by; }

IntSet hull(const IntSet& a, const IntSet& b) {
  if (a.isNothing()) return b;
  if (b.isNothing()) return a;
  return IntSet::interval(lowerOf(a.min(), b.min()), upperOf(a.max(), b.max()));
}

IntSet overlap(const IntSet& a, const IntSet& b, Analyzer& analyzer) {
  if (a.isNothing()) return a;
  if (b.isNothing()) return b;
  auto min = raised(a.min(), b.min()), max = lowered(a.max(), b.max());
  if (min && max && min->dtype.isIntegral() && max->dtype.isIntegral() && analyzer.canProve(ir::lt(max, min)))
    return IntSet::nothing();
  return IntSet::interval(min, max);
}

// --- sets of sets ---

namespace {

IntSet simplified(const IntSet& set, Analyzer& analyzer) {
  if (set.isNothing()) return set;
  auto end = [&](const Expr& e) { return e ? analyzer.simplify(e) : nullptr; };
  return IntSet::interval(end(set.min()), end(set.max()));
}

// a and b touch or overlap when a starts no later than just after b's end, and the other way round.
bool startsBeforeEnd(const Expr& min, const Expr& max, Analyzer& analyzer) {
  return !min || !max || analyzer.canProve(ir::le(min, max + 1));
}

template <class Combine>
IntRegion byDimension(const std::vector<IntRegion>& regions, Combine combine) {
  IntRegion result;
  if (regions.empty()) return result;
  for (std::size_t dim = 0; dim < regions[0].size(); ++dim) {
    std::vector<IntSet> sets;
    for (auto& region : regions) sets.push_back(region[dim]);
    result.push_back(combine(sets));
  }
  return result;
}

}  // namespace

IntSet unionOf(std::span<const IntSet> sets) {
  if (sets.empty()) return IntSet::nothing();
  if (sets.size() == 1) return sets[0];
  IntSet all = sets[0];
  for (auto& set : sets.subspan(1)) all = hull(all, set);
  Analyzer analyzer;
  return simplified(all, analyzer);
}

IntSet unionLowerBound(std::span<const IntSet> sets) {
  if (sets.size() == 1) return sets[0];
  Analyzer analyzer;
  IntSet all = IntSet::nothing();
  for (auto& set : sets) {
    if (set.isNothing()) continue;
    if (all.isNothing())
      all = set;
    else if (startsBeforeEnd(set.min(), all.max(), analyzer) && startsBeforeEnd(all.min(), set.max(), analyzer))
      all = hull(all, set);
  }
  return all;
}

namespace {

// The value of an expression where each variable is 0; nothing where that isn't plain arithmetic on small numbers.
std::optional<std::int64_t> valueAtZero(const Expr& e) {
  constexpr std::int64_t kSmall = 1 << 30;
  if (!e->dtype.isIntegral() || !e->dtype.isScalar()) return std::nullopt;
  if (e->kind == ir::ExprKind::Var) return 0;
  std::int64_t made = 0;
  if (const auto* constant = ir::asInt(e)) {
    made = constant->value;
  } else {
    if (!ir::isBinary(e->kind)) return std::nullopt;
    const auto& n = *ir::as<ir::BinaryNode>(e);
    const auto a = valueAtZero(n.a), b = a ? valueAtZero(n.b) : std::nullopt;
    if (!b) return std::nullopt;
    switch (e->kind) {
      case ir::ExprKind::Add: made = *a + *b; break;
      case ir::ExprKind::Sub: made = *a - *b; break;
      case ir::ExprKind::Mul: made = *a * *b; break;
      case ir::ExprKind::Min: made = std::min(*a, *b); break;
      case ir::ExprKind::Max: made = std::max(*a, *b); break;
      case ir::ExprKind::FloorDiv:
      case ir::ExprKind::FloorMod:
        if (*a < 0 || *b <= 0) return std::nullopt;
        made = e->kind == ir::ExprKind::FloorDiv ? *a / *b : *a % *b;
        break;
      default: return std::nullopt;
    }
  }
  return std::abs(made) < kSmall ? std::optional(made) : std::nullopt;
}

// Whether the sets meet where each variable is 0, so that nobody proves that they never do. To look takes far less time
// than to try a proof.
bool meetAtZero(const IntSet& a, const IntSet& b) {
  for (const IntSet* set : {&a, &b})
    if (set->isNothing() || !set->min() || !set->max()) return false;
  const auto least = valueAtZero(raised(a.min(), b.min())), most = valueAtZero(lowered(a.max(), b.max()));
  return least && most && *least <= *most;
}

}  // namespace

IntSet intersect(std::span<const IntSet> sets) {
  if (sets.empty()) return IntSet::nothing();
  if (sets.size() == 1) return sets[0];
  Analyzer analyzer;  // which knows nothing of variables
  IntSet common = sets[0];
  for (auto& set : sets.subspan(1)) {
    common = meetAtZero(common, set)
                 ? IntSet::interval(raised(common.min(), set.min()), lowered(common.max(), set.max()))
                 : overlap(common, set, analyzer);
  }
  return simplified(common, analyzer);
}

IntRegion unionRegion(const std::vector<IntRegion>& regions) { return byDimension(regions, unionOf); }
IntRegion unionRegionLowerBound(const std::vector<IntRegion>& regions) { return byDimension(regions, unionLowerBound); }

}  // namespace loom::arith
