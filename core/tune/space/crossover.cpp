#include "core/tune/space/crossover.h"

#include <algorithm>
#include <cstdlib>

#include "core/tune/space/descent.h"

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
      if (brokenBy(space, neighbour) == nullptr) neighbours.push_back(std::move(neighbour));
    }
  }
  return neighbours;
}

std::optional<Assignment> movedTo(const Space& space, const Assignment& schedule, int decision, std::int64_t value) {
  CountLimits limits;
  limits.seconds = 0.02;
  Pins pins(space);
  const auto schedules = [&](int d, std::int64_t v) -> std::optional<Assignment> {
    Pins more = pins;
    more.limitTo(d, {v});
    auto found = Descent(space, more).first(limits);
    if (!found || !*found) return std::nullopt;
    pins = std::move(more);
    return **found;
  };
  auto moved = schedules(decision, value);
  for (std::size_t d = 0; moved && d < space.decisions.size(); ++d) {
    if (int(d) == decision) continue;
    // What comes first may be what it was.
    if ((*moved)[d] == schedule[d]) {
      pins.limitTo(int(d), {schedule[d]});
      continue;
    }
    std::vector<std::int64_t> values = space.decisions[d].values;
    std::ranges::stable_sort(values, {}, [&](std::int64_t v) { return std::abs(v - schedule[d]); });
    for (const std::int64_t v : values)
      if (auto found = schedules(int(d), v)) {
        moved = std::move(found);
        break;
      }
  }
  return moved;
}

}  // namespace loom::tune
