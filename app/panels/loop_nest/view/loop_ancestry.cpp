#include "app/panels/loop_nest/view/loop_ancestry.h"

#include <algorithm>

#include "core/ir/build.h"

namespace loom::session {

using schedule::State;
using schedule::Tree;

namespace {

Ancestry::Source sourceOf(const State& state, ir::Id id) {
  const Tree& tree = state.tree();
  if (tree.isBlock(id)) return {tree.block(id)->name, -1};
  const ir::For loop = tree.loop(id);
  return {loop->var->name, ir::constantOr(loop->extent, -1)};
}

}  // namespace

Ancestors::Ancestors(const StatePath& input, const State& state) : input_(input), state_(state) {
  for (std::size_t i = 0; i < input.lines.size(); ++i) {
    for (const document::Line& line : input.lines[i]) stepOf_[line.uid] = int(i);
  }
}

std::vector<Ancestry> Ancestors::of(ir::Id id) const {
  std::vector<Ancestry> from;
  for (const schedule::Origin* origin = state_.origin(id); origin != nullptr; origin = state_.origin(id)) {
    auto at = stepOf_.find(origin->step);
    if (at == stepOf_.end() || at->second == 0) break;
    const State& before = input_.path[std::size_t(at->second) - 1];
    const State& after = input_.path[std::size_t(at->second)];
    Ancestry link;
    link.primitive = origin->primitive;
    link.step = at->second;
    for (ir::Id parent : origin->parents) {
      if (before.tree().contains(parent)) link.sources.push_back(sourceOf(before, parent));
    }
    for (const auto& node : after.tree().nodes()) {
      const schedule::Origin* other = node.id.step == id.step && !node.isBlock ? after.origin(node.id) : nullptr;
      if (other == nullptr || other->parents != origin->parents) continue;
      if (node.id == id) link.mine = int(link.results.size());
      link.results.push_back(ir::constantOr(ir::as<ir::ForNode>(node.stmt)->extent, -1));
    }
    from.push_back(std::move(link));
    if (origin->parents.empty() || origin->parents.front() == id) break;
    id = origin->parents.front();
  }
  std::reverse(from.begin(), from.end());
  return from;
}

}  // namespace loom::session
