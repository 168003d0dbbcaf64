#include "core/tune/space/crossover.h"

#include <algorithm>

namespace loom::tune {

std::optional<Assignment> childOf(const Diagram& diagram, const Pins& pins, const Assignment& mother,
                                  const Assignment& father, const std::vector<int>& keys, Random& random) {
  Pins limited = pins;
  const std::size_t freed = keys.empty() ? 0 : static_cast<std::size_t>(drawnBelow(keys.size(), random));
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (k == freed) continue;
    const auto d = static_cast<std::size_t>(keys[k]);
    std::vector<std::int64_t> values;
    for (const std::int64_t value : {mother[d], father[d]}) {
      const int index = valueIndexOf(diagram.space().decisions[d], value);
      if (index >= 0 && pins.allows(keys[k], index)) values.push_back(value);
    }
    limited.limitTo(keys[k], values);
  }
  return PinnedCounts(diagram, std::move(limited)).draw(random);
}

std::vector<Assignment> neighboursOf(const Space& space, const Assignment& schedule) {
  std::vector<Assignment> neighbours;
  for (std::size_t d = 0; d < space.decisions.size(); ++d) {
    for (const std::int64_t value : space.decisions[d].values) {
      if (value == schedule[d]) continue;
      Assignment neighbour = schedule;
      neighbour[d] = value;
      const bool isSchedule = std::all_of(space.constraints.begin(), space.constraints.end(),
                                          [&](const Constraint& constraint) { return holds(constraint, neighbour); });
      if (isSchedule) neighbours.push_back(std::move(neighbour));
    }
  }
  return neighbours;
}

}  // namespace loom::tune
