#include "core/schedule/predicate_share.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/ir/build.h"
#include "core/ir/visit.h"

namespace loom::schedule {

using schedule::Tree;

namespace {

// An integer or boolean expression of loop variables at their values; nothing for what it can't tell.
std::optional<std::int64_t> valueUnder(const ir::Expr& e,
                                       const std::unordered_map<const ir::VarNode*, std::int64_t>& values) {
  using ir::ExprKind;
  if (const auto* number = ir::asInt(e)) return number->value;
  if (const auto* var = ir::asVar(e)) {
    auto at = values.find(var);
    return at == values.end() ? std::nullopt : std::optional(at->second);
  }
  if (e->kind < ExprKind::Add || e->kind > ExprKind::Or) return std::nullopt;
  const auto& n = *ir::as<ir::BinaryNode>(e);
  const auto left = valueUnder(n.a, values), right = valueUnder(n.b, values);
  if (!left || !right) return std::nullopt;
  const std::int64_t a = *left, b = *right;
  switch (e->kind) {
    case ExprKind::Add: return a + b;
    case ExprKind::Sub: return a - b;
    case ExprKind::Mul: return a * b;
    case ExprKind::FloorDiv:
    case ExprKind::FloorMod: {
      if (b <= 0) return std::nullopt;
      const std::int64_t rest = (a % b + b) % b;
      return e->kind == ExprKind::FloorMod ? rest : (a - rest) / b;
    }
    case ExprKind::Min: return std::min(a, b);
    case ExprKind::Max: return std::max(a, b);
    case ExprKind::EQ: return a == b;
    case ExprKind::NE: return a != b;
    case ExprKind::LT: return a < b;
    case ExprKind::LE: return a <= b;
    case ExprKind::GT: return a > b;
    case ExprKind::GE: return a >= b;
    case ExprKind::And: return a != 0 && b != 0;
    case ExprKind::Or: return a != 0 || b != 0;
    default: return std::nullopt;
  }
}

constexpr std::int64_t kMostTried = 1 << 16;

}  // namespace

std::optional<double> shareOf(const ir::Expr& predicate, const Tree& tree, int index) {
  if (ir::constantOr(predicate, 0) == 1) return 1.0;
  std::vector<const ir::ForNode*> loops;
  std::int64_t all = 1;
  for (int at = tree.nodes()[std::size_t(index)].parent; at != Tree::kNone; at = tree.nodes()[std::size_t(at)].parent) {
    const auto& node = tree.nodes()[std::size_t(at)];
    if (node.isBlock) continue;
    const auto* loop = ir::as<ir::ForNode>(node.stmt);
    if (!ir::usesVar(predicate, [&](const ir::VarNode* var) { return var == loop->var.get(); })) continue;
    const std::int64_t extent = ir::constantOr(loop->extent, -1);
    if (extent <= 0 || all > kMostTried / extent) return std::nullopt;
    all *= extent;
    loops.push_back(loop);
  }
  std::int64_t held = 0;
  std::unordered_map<const ir::VarNode*, std::int64_t> values;
  for (std::int64_t i = 0; i < all; ++i) {
    std::int64_t rest = i;
    for (const ir::ForNode* loop : loops) {
      const std::int64_t extent = ir::constantOr(loop->extent, 1);
      values[loop->var.get()] = ir::constantOr(loop->min, 0) + rest % extent;
      rest /= extent;
    }
    const auto holds = valueUnder(predicate, values);
    if (!holds) return std::nullopt;
    held += *holds != 0;
  }
  return double(held) / double(all);
}

}  // namespace loom::schedule
