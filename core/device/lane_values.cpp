#include "core/device/lane_values.h"

namespace loom::device {
namespace {

using ir::ExprKind;

std::int64_t floorDivide(std::int64_t x, std::int64_t y) {
  std::int64_t q = x / y;
  return q - (x % y != 0 && (x < 0) != (y < 0));
}

std::optional<std::int64_t> apply(ExprKind kind, std::int64_t x, std::int64_t y) {
  switch (kind) {
    case ExprKind::Add: return x + y;
    case ExprKind::Sub: return x - y;
    case ExprKind::Mul: return x * y;
    case ExprKind::Div: return y ? std::optional(x / y) : std::nullopt;
    case ExprKind::Mod: return y ? std::optional(x % y) : std::nullopt;
    case ExprKind::FloorDiv: return y ? std::optional(floorDivide(x, y)) : std::nullopt;
    case ExprKind::FloorMod: return y ? std::optional(x - floorDivide(x, y) * y) : std::nullopt;
    case ExprKind::Min: return x < y ? x : y;
    case ExprKind::Max: return x > y ? x : y;
    case ExprKind::EQ: return x == y;
    case ExprKind::NE: return x != y;
    case ExprKind::LT: return x < y;
    case ExprKind::LE: return x <= y;
    case ExprKind::GT: return x > y;
    case ExprKind::GE: return x >= y;
    case ExprKind::And: return x && y;
    case ExprKind::Or: return x || y;
    default: return std::nullopt;
  }
}

// f of the lanes' values; once when all operands are uniform.
template <class F>
std::optional<LaneValues> map(bool uniform, F f) {
  LaneValues out;
  out.uniform = uniform;
  for (int lane = 0; lane < (uniform ? 1 : kLanes); ++lane) {
    std::optional<std::int64_t> v = f(lane);
    if (!v) return std::nullopt;
    (uniform ? out.one : out.each[std::size_t(lane)]) = *v;
  }
  return out;
}

}  // namespace

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
  if (auto* b = ir::asBinary(e)) {
    auto x = evaluate(b->a);
    if (!x) return std::nullopt;
    auto y = evaluate(b->b);
    if (!y) return std::nullopt;
    return map(x->uniform && y->uniform, [&](int lane) { return apply(b->kind, (*x)[lane], (*y)[lane]); });
  }
  switch (e->kind) {
    case ExprKind::Var: {
      auto at = values_.find(ir::as<ir::VarNode>(e));
      if (at == values_.end()) return std::nullopt;
      return at->second;
    }
    case ExprKind::IntImm: return LaneValues(ir::as<ir::IntImmNode>(e)->value);
    case ExprKind::Not: {
      auto x = evaluate(ir::as<ir::NotNode>(e)->a);
      if (!x) return x;
      return map(x->uniform, [&](int lane) { return std::optional<std::int64_t>(!(*x)[lane]); });
    }
    case ExprKind::Cast:
      return e->dtype.isIntegral() || e->dtype.isBool() ? evaluate(ir::as<ir::CastNode>(e)->value) : std::nullopt;
    case ExprKind::Select: {
      const auto& n = *ir::as<ir::SelectNode>(e);
      auto c = evaluate(n.condition), x = evaluate(n.yes), y = evaluate(n.no);
      if (!c || !x || !y) return std::nullopt;
      return map(c->uniform && x->uniform && y->uniform,
                 [&](int lane) { return std::optional((*c)[lane] ? (*x)[lane] : (*y)[lane]); });
    }
    case ExprKind::Let: {
      const auto& n = *ir::as<ir::LetNode>(e);
      auto x = evaluate(n.value);
      if (!x) return x;
      WarpState inner = *this;
      inner.set(n.var.get(), *x);
      return inner.evaluate(n.body);
    }
    case ExprKind::Call: {
      const auto& n = *ir::as<ir::CallNode>(e);
      bool shift = (n.op == "shift_left" || n.op == "shift_right") && n.args.size() == 2;
      bool bits = (n.op == "bitwise_and" || n.op == "bitwise_or" || n.op == "bitwise_xor") && n.args.size() == 2;
      if (!shift && !bits) return std::nullopt;
      auto x = evaluate(n.args[0]), y = evaluate(n.args[1]);
      if (!x || !y) return std::nullopt;
      return map(x->uniform && y->uniform, [&](int lane) -> std::optional<std::int64_t> {
        std::int64_t a = (*x)[lane], b = (*y)[lane];
        if (shift && (b < 0 || b > 62)) return std::nullopt;
        if (n.op == "shift_left") return std::int64_t(std::uint64_t(a) << b);
        if (n.op == "shift_right") return a >> b;
        return n.op == "bitwise_and" ? a & b : n.op == "bitwise_or" ? a | b : a ^ b;
      });
    }
    default: return std::nullopt;
  }
}

}  // namespace loom::device
