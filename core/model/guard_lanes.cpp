#include "core/model/guard_lanes.h"

namespace loom::model {
namespace {

using ir::ExprKind;

constexpr std::uint32_t kAllLanes = 0xffffffffu;

std::uint32_t lanesWhere(const device::LaneValues& v, bool holds) {
  if (v.uniform) return (v.one != 0) == holds ? kAllLanes : 0;
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < layout::kLanes; ++lane)
    lanes |= std::uint32_t((v.each[std::size_t(lane)] != 0) == holds) << lane;
  return lanes;
}

// The lanes in which `holds(first + distance)`, which changes at most once as the distance grows.
template <class Holds>
std::uint32_t lanesOfSum(std::int64_t first, const LaneSums::Distances& distances, const Holds& holds) {
  const bool atLeast = holds(first + distances.least);
  if (atLeast == holds(first + distances.most)) return atLeast ? kAllLanes : 0;
  std::uint32_t lanes = 0;
  for (int lane = 0; lane < layout::kLanes; ++lane)
    lanes |= std::uint32_t(holds(first + distances.each.each[std::size_t(lane)])) << lane;
  return lanes;
}

}  // namespace

GuardLanes::GuardLanes(const std::vector<Guard>& guards, LaneSums* sums) : sums_(sums) {
  for (const Guard& g : guards) {
    std::vector<Comparison> compared;
    if (sums != nullptr && addComparisons(g.condition, g.holds, compared)) {
      comparisons_.insert(comparisons_.end(), compared.begin(), compared.end());
    } else {
      guards_.emplace_back(program.add(g.condition), g.holds);
    }
  }
}

// Adds the comparisons of sums of which all must be as they say for the condition to hold, or not to; returns whether
// it is only such comparisons.
bool GuardLanes::addComparisons(const ir::Expr& condition, bool holds, std::vector<Comparison>& out) {
  if (condition->kind == ExprKind::Not) return addComparisons(ir::as<ir::NotNode>(condition)->a, !holds, out);
  if (!ir::isBinary(condition->kind)) return false;
  const auto& n = *ir::as<ir::BinaryNode>(condition);
  if (condition->kind == (holds ? ExprKind::And : ExprKind::Or))
    return addComparisons(n.a, holds, out) && addComparisons(n.b, holds, out);
  if (!ir::isComparison(condition->kind) || !n.a->dtype.isIntegral()) return false;
  std::vector<Term> terms = termsOf(n.a);
  for (Term term : termsOf(n.b)) {
    term.coefficient = -term.coefficient;
    terms.push_back(std::move(term));
  }
  const auto sum = sums_->add(terms);
  if (sum) out.push_back({*sum, condition->kind, holds});
  return sum.has_value();
}

std::uint32_t GuardLanes::lanesOf(const Comparison& c) {
  using I = std::int64_t;
  const I first = sums_->first(c.sum);
  const LaneSums::Distances& distances = sums_->distances(c.sum);
  const auto lanes = [&](const auto& holds) { return lanesOfSum(first, distances, holds); };
  // Not equal is less or greater.
  const auto made = [&] {
    switch (c.kind) {
      case ExprKind::LT: return lanes([](I d) { return d < 0; });
      case ExprKind::LE: return lanes([](I d) { return d <= 0; });
      case ExprKind::GT: return lanes([](I d) { return d > 0; });
      case ExprKind::GE: return lanes([](I d) { return d >= 0; });
      case ExprKind::EQ: return lanes([](I d) { return d <= 0; }) & lanes([](I d) { return d >= 0; });
      default: return lanes([](I d) { return d < 0; }) | lanes([](I d) { return d > 0; });
    }
  }();
  return c.holds ? made : ~made;
}

std::uint32_t GuardLanes::active(bool& known) {
  std::uint32_t active = kAllLanes;
  for (const auto& [number, holds] : guards_) {
    if (const device::LaneValues* v = program.value(number)) {
      active &= lanesWhere(*v, holds);
    } else {
      known = false;
    }
  }
  for (const Comparison& c : comparisons_) {
    if (active == 0) break;
    active &= lanesOf(c);
  }
  return active;
}

}  // namespace loom::model
