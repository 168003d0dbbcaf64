// reorder(*loops): the loops take each other's places in their chain, in the order given; loops between them stay.
//
//   for i: for j: for k: B      reorder(k, i)  →      for k: for j: for i: B
//
// Legal when the loops stand in one chain without branches, every block below has only spatial and reduce variables
// with affine values, and no loop's domain depends on one that would come to stand inside it. One loop, or none, is
// nothing to do.
#include <fmt/format.h>

#include <algorithm>

#include "core/ir/visit.h"
#include "core/schedule/instructions.h"
#include "core/schedule/primitives/loops.h"
#include "core/schedule/refuse.h"

namespace loom::schedule {

namespace {

// Indices in the tree of the loops from the lowest to the highest of those to be reordered.
Result<std::vector<int>> chainOf(const Tree& tree, const std::vector<Id>& ids) {
  const auto& nodes = tree.nodes();
  std::vector<int> given;
  for (Id id : ids) given.push_back(tree.find(id));
  std::vector<int> visited;
  auto in = [](const std::vector<int>& list, int i) { return std::find(list.begin(), list.end(), i) != list.end(); };
  int top = Tree::kNone, bottom = given.front(), scope = Tree::kNone;
  bool first = true;
  // Of two blocks that loops stand directly in, the inner one comes later in the tree.
  auto apart = [&](int block) {
    return refuse(
        "LoopsNotAChainError",
        message("The block \"{}\" contains some of the loops and not the others", tree.block(nodes[block].id)->name),
        ids);
  };
  for (int start : given) {
    if (in(visited, start)) continue;
    for (int v = start;; v = nodes[v].parent) {
      if (nodes[v].isBlock) {
        if (scope != Tree::kNone && scope != v) return apart(std::max(scope, v));
        if (scope == v) return refuse("LoopsNotAChainError", message("The loops are not in one nest"), ids);
        scope = v;
        break;
      }
      if (in(visited, v)) {
        if (v != bottom)
          return refuse("LoopsNotAChainError", message("The loops stand in different branches"), {nodes[v].id});
        bottom = start;
        break;
      }
      visited.push_back(v);
      if (first && in(given, v)) top = v;
    }
    first = false;
  }
  std::vector<int> chain;
  for (int v = bottom; v != top; v = nodes[v].parent) {
    int outer = nodes[v].parent;
    if (outer == Tree::kNone) return refuse("LoopsNotAChainError", message("The loops are not in one nest"), ids);
    if (nodes[outer].isBlock) return apart(outer);
    if (ir::as<ir::ForNode>(nodes[outer].stmt)->body != nodes[v].stmt) {
      return refuse("LoopsNotAChainError", message("A loop between them contains more than the next loop"),
                    {nodes[outer].id});
    }
    chain.push_back(v);
  }
  chain.push_back(top);
  return chain;
}

Checked checkBlocks(const Program& p, int top, int bottom) {
  const auto& nodes = p.tree().nodes();
  Id high = nodes[top].parent == Tree::kNone ? Id{} : nodes[nodes[top].parent].id;
  for (Id block : p.tree().childBlocks(nodes[bottom].id)) {
    for (const auto& iter : p.tree().block(block)->iters) {
      if (iter.type == ir::IterType::Opaque) {
        return refuse(
            "BlockPropertyError",
            message("The block \"{}\" has variables that are neither spatial nor reduce", p.tree().block(block)->name),
            {block});
      }
      if (auto ok = checkPartialAffineBinding(p, block, high); !ok) return ok;
    }
  }
  return {};
}

Result<Handles> reorder(Draft& draft, const Arguments& arguments) {
  auto ids = arguments.loops("ordered_loops");
  if (ids.size() <= 1) return Handles{};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (std::find(ids.begin(), ids.begin() + i, ids[i]) != ids.begin() + i) {
      return refuse("LoopMultiAppearanceError", message("\"{}\" is given twice", draft.tree().loop(ids[i])->var->name),
                    {ids[i]});
    }
  }
  auto chain = chainOf(draft.tree(), ids);
  if (!chain) return tl::unexpected(chain.error());
  if (auto ok = checkBlocks(draft.program(), chain->back(), chain->front()); !ok) return tl::unexpected(ok.error());

  const auto& nodes = draft.tree().nodes();
  std::vector<const ir::VarNode*> inner;
  ir::Stmt nest = ir::as<ir::ForNode>(nodes[chain->front()].stmt)->body;
  std::size_t next = ids.size();
  for (int v : *chain) {
    bool moves = std::find(ids.begin(), ids.end(), nodes[v].id) != ids.end();
    auto loop = draft.tree().loop(moves ? ids[--next] : nodes[v].id);
    auto isInner = [&](const ir::VarNode* var) { return std::find(inner.begin(), inner.end(), var) != inner.end(); };
    if (ir::usesVar(loop->min, isInner) || ir::usesVar(loop->extent, isInner)) {
      return refuse("DependentLoopError",
                    message("The domain of \"{}\" depends on a loop that would stand inside it", loop->var->name),
                    {loop->id});
    }
    inner.push_back(loop->var.get());
    nest = loop->body == nest ? ir::Stmt(loop) : ir::edit(*loop, [&](ir::ForNode& n) { n.body = nest; });
  }
  draft.replace(nodes[chain->back()].id, nest);
  return Handles{};
}

}  // namespace

Instruction reorderInstruction() {
  return {"reorder",
          "Reorder",
          "loops",
          {{"ordered_loops",
            ParameterType::Loops,
            {},
            "",
            "loops of one chain in their new order",
            "同一嵌套链上的循环，按新的次序",
            true}},
          Instruction::Results::None,
          reorder,
          "Let loops of one chain change places.",
          "重排同一嵌套链上的循环。"};
}

}  // namespace loom::schedule
