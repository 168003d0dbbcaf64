#include "core/tune/slice_steps.h"

#include <algorithm>

#include "core/device/memory_place.h"
#include "core/ir/build.h"
#include "core/model/product_rate.h"
#include "core/tune/rebuilt_step.h"
#include "core/tune/rules/built.h"

namespace loom::tune {

namespace {

// Whether CUDA cores multiply in threads of blocks, and no cluster shares sums yet.
bool couldShare(const schedule::State& state) {
  bool threads = false;
  for (const schedule::Tree::Node& node : state.tree().nodes()) {
    if (node.parent == schedule::Tree::kNone) continue;
    if (!node.isBlock) {
      const ir::ForNode* loop = ir::asFor(node.stmt);
      threads |= loop->forKind == ir::ForKind::ThreadBinding && loop->thread == "threadIdx.x";
      continue;
    }
    for (const auto& region : state.tree().block(node.id)->writes) {
      const std::string& scope = region.buffer->scope;
      if (scope == device::kSharedCluster || device::memoryOf(scope) == device::Memory::Fragment) return false;
    }
  }
  return threads;
}

}  // namespace

std::vector<CandidateStep> sliceSteps(const document::History& history, int node,
                                      const schedule::Environment& environment, const model::Device& device,
                                      const std::atomic<bool>& stop) {
  if (!model::hasWarpgroups(device) || environment.intrinsics == nullptr || !couldShare(history.node(node).state))
    return {};
  RuleChoices choices;
  choices.clusterSlices = true;
  for (const int base : history.path(node)) {
    if (stop || base == node) break;
    const auto plan = sketchOf(history.node(base).state, device, *environment.intrinsics, {}, choices);
    if (!plan) continue;
    for (std::size_t n = 0; n < plan->sketches.size(); ++n) {
      const Sketch& sketch = plan->sketches[n];
      if (std::ranges::find(sketch.quantities, "cluster", &Quantity::name) == sketch.quantities.end()) continue;
      const auto made = construct(*plan, int(n), device);
      if (!made) continue;
      auto step = rebuiltStep(history, node, base, sketch, made->assignment, {PipelineMove::Slices},
                              {"split", "rfactor", "set_scope", "bind"}, environment);
      if (step) return {std::move(*step)};
    }
    break;
  }
  return {};
}

}  // namespace loom::tune
