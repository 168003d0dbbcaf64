#include "core/schedule/tiling.h"

#include <algorithm>

#include "core/intrin/intrinsic.h"
#include "core/ir/build.h"
#include "core/ir/visit.h"
#include "core/layout/fragment_scope.h"

namespace loom::schedule {
namespace {

// The loops of a description, and the block inside them; null where it is no such nest.
struct Description {
  std::vector<std::int64_t> extents;
  ir::Block block;
};
Description descriptionOf(const intrin::Intrinsic& intrinsic) {
  Description d;
  ir::Stmt at = intrinsic.description->body->block->body;
  while (auto* loop = ir::asFor(at)) {
    d.extents.push_back(ir::constantOr(loop->extent, 0));
    at = loop->body;
  }
  if (auto* realize = ir::as<ir::BlockRealizeNode>(at)) d.block = realize->block;
  return d;
}

bool writes(const ir::BlockNode& block, const ir::Buffer& buffer) {
  return std::any_of(block.writes.begin(), block.writes.end(),
                     [&](const ir::BufferRegion& region) { return region.buffer == buffer; });
}

// What is read, less what is accumulated into.
std::vector<std::size_t> operandsOf(const ir::BlockNode& block) {
  std::vector<std::size_t> operands;
  for (std::size_t i = 0; i < block.reads.size(); ++i)
    if (!writes(block, block.reads[i].buffer)) operands.push_back(i);
  return operands;
}

// "row_major" or "col_major", as the implementation's load of a fragment has it; "" where it loads none.
std::string orderOf(const intrin::Intrinsic& intrinsic) {
  std::string order;
  ir::forEachExpr(intrinsic.implementation->body->block->body, [&](const ir::Expr& e) {
    if (e->kind != ir::ExprKind::StringImm) return;
    const std::string& text = ir::as<ir::StringImmNode>(e)->value;
    if (text == "row_major" || text == "col_major") order = text;
  });
  return order;
}

// The operand that a block takes the buffer for where it multiplies it, and whether it lies transposed: by the
// dimension of the result that the other index of the buffer is of. Nothing where the block is no product of it.
//
//   C[m, n] += A[m, k] * B[k, n]: row_major; A[k, m], B[n, k]: col_major
struct Factor {
  layout::Operand operand;
  std::string order;
};
std::optional<Factor> factorIn(const ir::BlockNode& reader, const ir::Buffer& buffer) {
  if (reader.body->kind != ir::StmtKind::Store) return std::nullopt;
  const auto& store = *ir::as<ir::StoreNode>(reader.body);
  if (store.indices.size() < 2) return std::nullopt;
  auto isOf = [&](const ir::Expr& e, ir::IterType type, const ir::Expr* sharedWith) {
    return std::any_of(reader.iters.begin(), reader.iters.end(), [&](const ir::IterVar& iter) {
      auto is = [&](const ir::VarNode* used) { return used == iter.var.get(); };
      return iter.type == type && ir::usesVar(e, is) && (!sharedWith || ir::usesVar(*sharedWith, is));
    });
  };
  std::optional<Factor> found;
  ir::forEachExpr(store.value, [&](const ir::Expr& e) {
    const auto* load = ir::asLoad(e);
    if (!load || load->buffer != buffer || load->indices.size() < 2) return;
    const ir::Expr& first = load->indices[load->indices.size() - 2];
    const ir::Expr& last = load->indices.back();
    const bool reducedFirst = isOf(first, ir::IterType::Reduce, nullptr);
    if (reducedFirst == isOf(last, ir::IterType::Reduce, nullptr)) return;
    const ir::Expr& other = reducedFirst ? last : first;
    if (isOf(other, ir::IterType::Spatial, &store.indices[store.indices.size() - 2])) {
      found = Factor{layout::Operand::A, reducedFirst ? "col_major" : "row_major"};
    } else if (isOf(other, ir::IterType::Spatial, &store.indices.back())) {
      found = Factor{layout::Operand::B, reducedFirst ? "row_major" : "col_major"};
    }
  });
  return found;
}

// What loads an operand's fragment is of use where that operand is wanted, in the order in which it lies there.
bool isWanted(const Tree& tree, const ir::BlockNode& block, const intrin::Intrinsic& intrinsic) {
  const std::string order = orderOf(intrinsic);
  if (order.empty() || block.writes.size() != 1) return true;
  const ir::Buffer& fragment = block.writes.front().buffer;
  const layout::FragmentScope* scope = layout::findFragmentScope(fragment->scope);
  for (const auto& node : tree.nodes()) {
    if (!node.isBlock) continue;
    const auto factor = factorIn(*tree.block(node.id), fragment);
    if (factor && (!scope || scope->operand != factor->operand || factor->order != order)) return false;
  }
  return true;
}

// Copies of the block's buffers in the scopes that the description has. Into fragments only for a product, whose
// operands' copies can be loads in their turn; a copy through a fragment of another operand would be no kernel.
bool stage(StepRecorder& lines, Id id, const ir::BlockNode& wanted) {
  auto block = [&] { return lines.state().tree().block(id); };
  const auto theirs = operandsOf(wanted);
  const bool multiplies = theirs.size() < wanted.reads.size();
  if (operandsOf(*block()).size() != theirs.size() || block()->writes.size() != wanted.writes.size()) return false;
  for (std::size_t n = 0; n < theirs.size(); ++n) {
    const std::size_t own = operandsOf(*block())[n];
    const std::string& scope = wanted.reads[theirs[n]].buffer->scope;
    if (block()->reads[own].buffer->scope == scope) continue;
    if (layout::isFragmentScope(scope) && !multiplies) return false;
    if (!lines.apply("cache_read", {blockValue(id), Value{std::int64_t(own)}, Value{scope}, Value{List{}}}))
      return false;
  }
  for (std::size_t n = 0; n < wanted.writes.size(); ++n) {
    const std::string& scope = wanted.writes[n].buffer->scope;
    if (block()->writes[n].buffer->scope == scope) continue;
    if (layout::isFragmentScope(scope) && !multiplies) return false;
    if (!lines.apply("cache_write", {blockValue(id), Value{std::int64_t(n)}, Value{scope}, Value{List{}}}))
      return false;
  }
  return true;
}

// The innermost of the block's loops in the value of an iterator.
std::optional<Id> loopOf(const Tree& tree, Id block, const ir::Expr& value) {
  std::optional<Id> innermost;
  for (Id loop : tree.loopsAbove(block)) {
    const ir::VarNode* var = tree.loop(loop)->var.get();
    if (ir::usesVar(value, [&](const ir::VarNode* used) { return used == var; })) innermost = loop;
  }
  return innermost;
}

// The inner loops of the tile, one for each of the extents, after splitting.
std::optional<std::vector<Id>> split(StepRecorder& lines, Id block, const Description& wanted) {
  std::vector<Id> inner;
  const std::size_t skipped = lines.state().tree().block(block)->iters.size() - wanted.extents.size();
  for (std::size_t n = 0; n < wanted.extents.size(); ++n) {
    const Tree& tree = lines.state().tree();
    if (tree.block(block)->iters[skipped + n].type != wanted.block->iters[n].type) return std::nullopt;
    const auto loop = loopOf(tree, block, tree.realize(block)->values[skipped + n]);
    if (!loop || std::find(inner.begin(), inner.end(), *loop) != inner.end()) return std::nullopt;
    const std::int64_t extent = ir::constantOr(tree.loop(*loop)->extent, 0), part = wanted.extents[n];
    if (part <= 0 || extent % part != 0) return std::nullopt;
    if (extent == part) {
      inner.push_back(*loop);
      continue;
    }
    const std::string name = tree.loop(*loop)->var->name;
    const auto halves =
        lines.apply("split", {loopValue(*loop), Value{List{Value{}, Value{part}}}, Value{true}, Value{false}},
                    {name + "_0", name + "_1"});
    if (!halves) return std::nullopt;
    inner.push_back(std::get<LoopRef>((*halves)[1]).id);
  }
  return inner;
}

// The tile's loops to the innermost place, in their order.
bool gather(StepRecorder& lines, Id block, const std::vector<Id>& inner) {
  const std::vector<Id> chain = lines.state().tree().loopsAbove(block);
  if (std::equal(inner.rbegin(), inner.rend(), chain.rbegin())) return true;
  auto isInner = [&](Id loop) { return std::find(inner.begin(), inner.end(), loop) != inner.end(); };
  List order;
  for (auto loop = std::find_if(chain.begin(), chain.end(), isInner); loop != chain.end(); ++loop)
    if (!isInner(*loop)) order.push_back(loopValue(*loop));
  for (Id loop : inner) order.push_back(loopValue(loop));
  return lines.apply("reorder", {Value{order}}).has_value();
}

// The start value is set before the innermost loop that will do.
bool decompose(StepRecorder& lines, Id block) {
  std::vector<Id> above = lines.state().tree().loopsAbove(block);
  std::reverse(above.begin(), above.end());
  return std::any_of(above.begin(), above.end(), [&](Id loop) {
    return lines.apply("decompose_reduction", {blockValue(block), loopValue(loop)}).has_value();
  });
}

}  // namespace

std::optional<Id> tileForIntrinsic(StepRecorder& lines, Id block, const std::string& intrinsic,
                                   const Environment& environment) {
  const intrin::Intrinsic* found = environment.intrinsics ? environment.intrinsics->find(intrinsic) : nullptr;
  if (!found) return std::nullopt;
  const Description wanted = descriptionOf(*found);
  if (!wanted.block || wanted.extents.empty() || wanted.block->iters.size() != wanted.extents.size() ||
      lines.state().tree().block(block)->iters.size() < wanted.extents.size())
    return std::nullopt;
  if (!isWanted(lines.state().tree(), *lines.state().tree().block(block), *found)) return std::nullopt;
  if (!stage(lines, block, *wanted.block)) return std::nullopt;
  const auto inner = split(lines, block, wanted);
  if (!inner || !gather(lines, block, *inner)) return std::nullopt;
  if (lines.state().tree().block(block)->init && !wanted.block->init && !decompose(lines, block)) return std::nullopt;
  return inner->front();
}

}  // namespace loom::schedule
