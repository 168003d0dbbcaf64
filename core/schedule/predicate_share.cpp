#include "core/schedule/predicate_share.h"

#include <algorithm>
#include <map>
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

constexpr std::int64_t kMostTried = 1 << 16, kMostInside = 1 << 8;

using Values = std::unordered_map<const ir::VarNode*, std::int64_t>;

// Loops, all of whose iterations are gone through.
struct Loops {
  std::vector<const ir::ForNode*> loops;
  std::int64_t all = 1;  // iterations

  void add(const ir::ForNode* loop, std::int64_t extent) {
    loops.push_back(loop);
    all *= extent;
  }
  void set(std::int64_t iteration, Values& values) const {
    for (const ir::ForNode* loop : loops) {
      const std::int64_t extent = ir::constantOr(loop->extent, 1);
      values[loop->var.get()] = ir::constantOr(loop->min, 0) + iteration % extent;
      iteration /= extent;
    }
  }
  bool has(const ir::VarNode* var) const {
    return std::ranges::any_of(loops, [&](const ir::ForNode* loop) { return loop->var.get() == var; });
  }
};

// The largest parts of an expression that depend on none of the inner loops: by their values the rest is known.
void collectOuter(const ir::Expr& e, const Loops& inner, std::vector<ir::Expr>& parts) {
  if (!ir::usesVar(e, [&](const ir::VarNode* var) { return inner.has(var); })) {
    if (ir::asInt(e) == nullptr) parts.push_back(e);
    return;
  }
  if (e->kind < ir::ExprKind::Add || e->kind > ir::ExprKind::Or) return;
  const auto& n = *ir::as<ir::BinaryNode>(e);
  collectOuter(n.a, inner, parts);
  collectOuter(n.b, inner, parts);
}

}  // namespace

std::optional<double> shareOf(const ir::Expr& predicate, const Tree& tree, int index) {
  if (ir::constantOr(predicate, 0) == 1) return 1.0;
  // Innermost first: few iterations of inner loops, and many of outer ones that have few values where it matters, as
  // tiles that lie in one column of the result.
  Loops inner, outer;
  for (int at = tree.nodes()[std::size_t(index)].parent; at != Tree::kNone; at = tree.nodes()[std::size_t(at)].parent) {
    const auto& node = tree.nodes()[std::size_t(at)];
    if (node.isBlock) continue;
    const auto* loop = ir::as<ir::ForNode>(node.stmt);
    if (!ir::usesVar(predicate, [&](const ir::VarNode* var) { return var == loop->var.get(); })) continue;
    const std::int64_t extent = ir::constantOr(loop->extent, -1);
    if (extent <= 0) return std::nullopt;
    Loops& to = outer.loops.empty() && inner.all <= kMostInside / extent ? inner : outer;
    if (to.all > kMostTried / extent) return std::nullopt;
    to.add(loop, extent);
  }
  std::vector<ir::Expr> parts;
  collectOuter(predicate, inner, parts);
  std::map<std::vector<std::int64_t>, std::int64_t> known;  // by the parts' values: how many inner iterations hold
  std::int64_t held = 0, tried = 0;
  Values values;
  for (std::int64_t i = 0; i < outer.all; ++i) {
    outer.set(i, values);
    std::vector<std::int64_t> key;
    for (const ir::Expr& part : parts) {
      const auto value = valueUnder(part, values);
      if (!value) return std::nullopt;
      key.push_back(*value);
    }
    const auto [at, isNew] = known.emplace(std::move(key), 0);
    for (std::int64_t j = 0; isNew && j < inner.all; ++j) {
      if (++tried > kMostTried) return std::nullopt;
      inner.set(j, values);
      const auto holds = valueUnder(predicate, values);
      if (!holds) return std::nullopt;
      at->second += *holds != 0;
    }
    held += at->second;
  }
  return double(held) / (double(inner.all) * double(outer.all));
}

}  // namespace loom::schedule
