#include "core/device/lane_values.h"

#include <algorithm>

#include "core/device/lane_operations.h"

namespace loom::device {

using ir::ExprKind;

LaneValues digitsFrom(std::int64_t first, std::int64_t count, std::int64_t step, std::int64_t radix) {
  const std::int64_t last = std::min(first + kLanes, count) - 1;
  if (first / step == last / step) return first / step % radix;
  LaneValues digits;
  digits.uniform = false;
  // Counted on from lane to lane, since divisions are slow.
  std::int64_t digit = first / step % radix, within = first % step;
  for (int lane = 0; lane < kLanes; ++lane) {
    digits.each[std::size_t(lane)] = digit;
    if (first + lane >= last || ++within < step) continue;
    within = 0;
    if (++digit == radix) digit = 0;
  }
  return digits;
}

std::array<std::int64_t, 3> placeAt(const std::array<std::int64_t, 3>& extents, std::int64_t n) {
  return {n % extents[0], n / extents[0] % extents[1], n / extents[0] / extents[1]};
}
std::int64_t numberAt(const std::array<std::int64_t, 3>& extents, const std::array<std::int64_t, 3>& place) {
  return (place[2] * extents[1] + place[1]) * extents[0] + place[0];
}

std::array<std::int64_t, 3> blockAt(const Kernel& k, std::int64_t block) { return placeAt(k.grid, block); }

void WarpState::place(const Kernel& k, std::int64_t block, int warp) {
  auto at = blockAt(k, block);
  LaneValues thread[3];
  threads_ = 0;
  for (auto& t : thread) t.uniform = false;
  for (int lane = 0; lane < kLanes; ++lane) {
    std::int64_t n = std::int64_t(warp) * kLanes + lane;
    if (n < k.threads()) threads_ |= std::uint32_t{1} << lane;
    const auto own = placeAt(k.block, n);
    for (std::size_t axis = 0; axis < own.size(); ++axis) thread[axis].each[std::size_t(lane)] = own[axis];
  }
  for (int axis = 0; axis < 3; ++axis) {
    set(k.blockIdx[std::size_t(axis)].get(), at[std::size_t(axis)]);
    auto& t = thread[axis];
    bool same = true;
    for (int lane = 1; lane < kLanes; ++lane) same &= t.each[std::size_t(lane)] == t.each[0];
    set(k.threadIdx[std::size_t(axis)].get(), same ? LaneValues(t.each[0]) : t);
  }
}

std::optional<LaneValues> WarpState::evaluate(const ir::Expr& e) const {
  if (const auto operands = laneOperandsOf(*e)) {
    const auto x = evaluate(*operands->a);
    if (!x) return std::nullopt;
    const auto y = evaluate(*operands->b);
    if (!y) return std::nullopt;
    std::optional<LaneValues> made(std::in_place);
    if (!combine(operands->operation, *x, *y, *made)) return std::nullopt;
    return made;
  }
  switch (e->kind) {
    case ExprKind::Var: {
      auto at = values_.find(ir::as<ir::VarNode>(e));
      if (at == values_.end()) return std::nullopt;
      return at->second;
    }
    case ExprKind::IntImm: return LaneValues(ir::as<ir::IntImmNode>(e)->value);
    case ExprKind::Not: {
      const auto x = evaluate(ir::as<ir::NotNode>(e)->a);
      if (!x) return std::nullopt;
      std::optional<LaneValues> made(std::in_place);
      negate(*x, *made);
      return made;
    }
    case ExprKind::Cast:
      return e->dtype.isIntegral() || e->dtype.isBool() ? evaluate(ir::as<ir::CastNode>(e)->value) : std::nullopt;
    case ExprKind::Select: {
      const auto& n = *ir::as<ir::SelectNode>(e);
      auto c = evaluate(n.condition), x = evaluate(n.yes), y = evaluate(n.no);
      if (!c || !x || !y) return std::nullopt;
      std::optional<LaneValues> made(std::in_place);
      select(*c, *x, *y, *made);
      return made;
    }
    case ExprKind::Let: {
      const auto& n = *ir::as<ir::LetNode>(e);
      const auto x = evaluate(n.value);
      WarpState inner = *this;
      if (x) inner.set(n.var.get(), *x);
      return inner.evaluate(n.body);
    }
    default: return std::nullopt;
  }
}

}  // namespace loom::device
