#include "core/tune/loop_chain.h"

#include <algorithm>

namespace loom::tune {

using schedule::Handle;
using schedule::Tree;
using schedule::Value;

std::vector<ir::Id> chainOf(const schedule::State& state, ir::Id loop) {
  const Tree& tree = state.tree();
  if (!tree.isLoop(loop)) return {};
  std::vector<ir::Id> chain{loop};
  for (ir::Id at = tree.parent(loop); at && tree.isLoop(at) && tree.children(at).size() == 1; at = tree.parent(at)) {
    chain.insert(chain.begin(), at);
  }
  for (auto below = tree.children(loop); below.size() == 1 && tree.isLoop(below[0]); below = tree.children(below[0])) {
    chain.push_back(below[0]);
  }
  return chain;
}

StepForm formOfLoops(const char* primitive, const std::vector<ir::Id>& loops) {
  StepForm form(*schedule::findInstruction(primitive));
  schedule::List list;
  for (ir::Id id : loops) list.push_back(Value{Handle(schedule::LoopRef{id})});
  for (std::size_t i = 0; i < form.values.size(); ++i) {
    if (form.row->parameters[i].variadic) form.values[i] = Value{list};
  }
  return form;
}

std::optional<StepForm> dropStep(const schedule::State& state, ir::Id dragged, ir::Id target, DropEdge edge) {
  const Tree& tree = state.tree();
  if (!tree.isLoop(dragged) || !tree.isLoop(target) || dragged == target) return std::nullopt;
  const bool up = tree.isAncestorOrSelf(target, dragged);
  const bool down = tree.isAncestorOrSelf(dragged, target);
  if (edge == DropEdge::kOnto) {
    return formOfLoops("fuse", up ? std::vector<ir::Id>{target, dragged} : std::vector<ir::Id>{dragged, target});
  }
  if (!up && !down) return formOfLoops("reorder", {target, dragged});
  // All loops between both, outermost first.
  const ir::Id outer = up ? target : dragged, inner = up ? dragged : target;
  std::vector<ir::Id> order;
  for (ir::Id at = inner; at; at = tree.parent(at)) {
    if (tree.isLoop(at)) order.insert(order.begin(), at);
    if (at == outer) break;
  }
  const std::vector<ir::Id> was = order;
  order.erase(std::find(order.begin(), order.end(), dragged));
  auto at = std::find(order.begin(), order.end(), target);
  order.insert(edge == DropEdge::kBefore ? at : at + 1, dragged);
  if (order == was) return std::nullopt;
  // What keeps its place at either end need not be named.
  std::size_t first = 0, last = order.size();
  while (order[first] == was[first]) ++first;
  while (order[last - 1] == was[last - 1]) --last;
  return formOfLoops("reorder", {order.begin() + std::ptrdiff_t(first), order.begin() + std::ptrdiff_t(last)});
}

}  // namespace loom::tune
