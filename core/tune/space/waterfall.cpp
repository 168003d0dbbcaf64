#include "core/tune/space/waterfall.h"

namespace loom::tune {
namespace {

Result<Count> countWith(const Space& space, std::size_t first, std::size_t end, const CountLimits& limits) {
  Space some{space.decisions, {}};
  for (std::size_t c = first; c < end; ++c) some.constraints.push_back(space.constraints[c]);
  auto diagram = Diagram::of(std::move(some), limits);
  if (!diagram) return Failure(diagram.error());
  return diagram->count();
}

}  // namespace

Waterfall waterfallOf(const Space& space, const CountLimits& limits) {
  Waterfall waterfall;
  waterfall.raw = countWith(space, 0, 0, limits);  // a node a decision
  for (std::size_t c = 0; c < space.constraints.size(); ++c) {
    waterfall.rows.push_back({countWith(space, 0, c + 1, limits), countWith(space, c, c + 1, limits)});
  }
  return waterfall;
}

}  // namespace loom::tune
