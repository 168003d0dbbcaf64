#include "app/panels/memory/view/passing_label.h"

#include <algorithm>
#include <cstdlib>

namespace loom::session {

int gapOfPassingLabel(const MemoryView& view, const MemoryTraffic& passing) {
  const int from = int(passing.from), to = int(passing.to), step = from < to ? 1 : -1;
  for (int level = from; level != to; level += step) {
    const int above = std::min(level, level + step);
    const bool taken = std::ranges::any_of(view.traffic, [&](const MemoryTraffic& other) {
      return other.column == passing.column && std::abs(int(other.from) - int(other.to)) == 1 &&
             std::min(int(other.from), int(other.to)) == above;
    });
    if (!taken) return above;
  }
  return -1;
}

}  // namespace loom::session
