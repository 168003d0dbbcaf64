#include "core/tune/rules/loop_values.h"

#include <algorithm>
#include <set>

#include "core/arith/int_math.h"

namespace loom::tune {

using schedule::Tree;

Place placeOf(const ir::ForNode& loop) {
  if (loop.forKind != ir::ForKind::ThreadBinding) return Place::Serial;
  if (loop.thread.starts_with("blockIdx")) return Place::Grid;
  return loop.thread.starts_with("vthread") ? Place::Parts : Place::Threads;
}

std::optional<std::int64_t> valueAt(const ir::Expr& e, const ir::VarNode* var, std::int64_t number) {
  if (const ir::IntImmNode* n = ir::asInt(e)) return n->value;
  if (const ir::VarNode* v = ir::asVar(e)) return v == var ? number : 0;
  const ir::BinaryNode* binary = ir::asBinary(e);
  if (binary == nullptr) return std::nullopt;
  const auto a = valueAt(binary->a, var, number), b = valueAt(binary->b, var, number);
  if (!a || !b) return std::nullopt;
  switch (e->kind) {
    case ir::ExprKind::Add: return *a + *b;
    case ir::ExprKind::Sub: return *a - *b;
    case ir::ExprKind::Mul: return *a * *b;
    case ir::ExprKind::FloorDiv: return *b == 0 ? std::nullopt : std::optional(arith::floorDiv(*a, *b));
    case ir::ExprKind::FloorMod: return *b == 0 ? std::nullopt : std::optional(arith::floorMod(*a, *b));
    case ir::ExprKind::Min: return std::min(*a, *b);
    case ir::ExprKind::Max: return std::max(*a, *b);
    default: return std::nullopt;
  }
}

std::int64_t valuesAlong(const ir::Expr& index, const ir::ForNode& loop) {
  const std::int64_t extent = ir::constantOr(loop.extent, 0);
  if (extent < 1 || extent > kMostIterations) return 1;
  std::set<std::int64_t> seen;
  for (std::int64_t n = 0; n < extent; ++n) {
    const auto value = valueAt(index, loop.var.get(), n);
    if (!value) return 1;
    seen.insert(*value);
  }
  return std::int64_t(seen.size());
}

std::vector<ir::For> loopsAround(const Tree& tree, ir::Id block) {
  std::vector<ir::For> loops;
  for (int at = tree.at(block).parent; at != Tree::kNone; at = tree.nodes()[std::size_t(at)].parent)
    if (const Tree::Node& node = tree.nodes()[std::size_t(at)]; !node.isBlock) loops.push_back(tree.loop(node.id));
  std::ranges::reverse(loops);
  return loops;
}

std::int64_t vectorOf(const Tree& tree, ir::Id block) {
  std::int64_t vector = 1;
  for (const ir::For& loop : loopsAround(tree, block))
    if (loop->forKind == ir::ForKind::Vectorized) vector = ir::constantOr(loop->extent, 1);
  return vector;
}

namespace {

// Of [[buffer, dimension, factor, offset], …] the last number.
std::int64_t offsetIn(const ir::AnnotationValue& value) {
  if (const auto* number = std::get_if<ir::Expr>(&value.value)) return ir::constantOr(*number, 0);
  const auto* list = std::get_if<ir::AnnotationList>(&value.value);
  return list == nullptr || list->empty() ? 0 : offsetIn(list->back());
}

}  // namespace

std::int64_t paddingOf(const ir::BlockNode& block) {
  const auto aligned = block.annotations.find("buffer_dim_align");
  return aligned == block.annotations.end() ? 0 : offsetIn(aligned->second);
}

}  // namespace loom::tune
