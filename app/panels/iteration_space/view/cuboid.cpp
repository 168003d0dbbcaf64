#include "app/panels/iteration_space/view/cuboid.h"

#include <algorithm>

namespace loom::session {

std::int64_t Cuboid::points() const { return (to[0] - from[0]) * (to[1] - from[1]) * (to[2] - from[2]); }

std::vector<Cuboid> joined(std::vector<Cuboid> parts) {
  for (std::size_t axis : {2U, 1U, 0U}) {
    const std::size_t p = (axis + 1) % 3, q = (axis + 2) % 3;
    auto section = [&](const Cuboid& c) { return std::array{c.from[p], c.to[p], c.from[q], c.to[q]}; };
    std::sort(parts.begin(), parts.end(), [&](const Cuboid& a, const Cuboid& b) {
      const auto sa = section(a), sb = section(b);
      return sa != sb ? sa < sb : a.from[axis] < b.from[axis];
    });
    std::vector<Cuboid> out;
    for (const Cuboid& part : parts) {
      if (!out.empty() && section(out.back()) == section(part) && part.from[axis] <= out.back().to[axis]) {
        out.back().to[axis] = std::max(out.back().to[axis], part.to[axis]);
      } else {
        out.push_back(part);
      }
    }
    parts = std::move(out);
  }
  return parts;
}

}  // namespace loom::session
