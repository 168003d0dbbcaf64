#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loom::session {

/// A point of the iteration space, that is, one iteration of a block: its coordinate along each of the three drawn
/// axes.
using Point = std::array<std::int64_t, 3>;

/// A cuboid is the points p with from ≤ p < to along every axis, in iterations.
struct Cuboid {
  Point from{}, to{};
  /// Returns the number of points in the cuboid.
  std::int64_t points() const;
  friend bool operator==(const Cuboid&, const Cuboid&) = default;
};

/// Returns the smallest cuboid that contains `a` and `b`.
Cuboid hull(const Cuboid& a, const Cuboid& b);

/// Merges cuboids that have the same cross-section and touch or overlap along an axis, once along each axis; with that
/// duplicates are dropped. The result covers the same points, but isn't always the smallest number of cuboids that do.
std::vector<Cuboid> joined(std::vector<Cuboid> parts);

}  // namespace loom::session
