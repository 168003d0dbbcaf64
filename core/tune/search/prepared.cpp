#include "core/tune/search/prepared.h"

#include "core/tune/space/count.h"

namespace loom::tune {

std::optional<Count> PreparedSearch::schedules() const {
  Count sum = 0;
  for (const auto& diagram : counted)
    if (!diagram || !add(sum, diagram->count())) return std::nullopt;
  return sum;
}

Result<PreparedSearch> prepareSearch(const schedule::State& start, model::Device device,
                                     const schedule::Environment& environment, std::span<const OwnRule> own,
                                     const RuleChoices& choices) {
  auto plan = sketchOf(start, device, *environment.intrinsics, own, choices);
  if (!plan) return Failure(plan.error());
  std::vector<NotBuilt> notBuilt;
  auto built = buildAll(*plan, start, device, environment, &notBuilt);
  if (!built) return Failure(built.error());
  PreparedSearch prepared{std::move(device), std::move(*plan), std::move(*built), {}, std::move(notBuilt)};
  for (const Sketch& sketch : prepared.plan.sketches) {
    auto diagram = Diagram::of(sketch.space);
    prepared.counted.push_back(diagram ? std::optional(std::move(*diagram)) : std::nullopt);
  }
  return prepared;
}

}  // namespace loom::tune
