#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loom::session {

/// A point of the iteration space, that is, one iteration of a block: its coordinate along each of the three drawn
/// axes.
using Point = std::array<std::int64_t, 3>;

/// A cuboid is the points p with from ≤ p < to along every axis, in iterations; `from` must not lie above `to`.
struct Cuboid {
  Point from{}, to{};
  /// Returns the number of points in the cuboid.
  std::int64_t points() const;
  friend bool operator==(const Cuboid&, const Cuboid&) = default;
};

/// Merges cuboids that have the same cross-section and touch or overlap along an axis, once along each axis; with that
/// duplicates are dropped. The result, in no particular order, covers the same points, but not always with the fewest
/// cuboids, and these may overlap.
std::vector<Cuboid> joined(std::vector<Cuboid> parts);

}  // namespace loom::session
