#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loom::session {

/// A point of the iteration space: its coordinate along each of the three drawn axes, in iterations.
using Point = std::array<std::int64_t, 3>;

/// A cuboid is the points p with from ≤ p < to along every axis.
struct Cuboid {
  Point from{}, to{};
  /// Returns the number of points in the cuboid.
  std::int64_t points() const;
  friend bool operator==(const Cuboid&, const Cuboid&) = default;
};

/// Returns the smallest cuboid that contains `a` and `b`.
Cuboid hull(const Cuboid& a, const Cuboid& b);

/// Merges cuboids: those that touch or overlap and together are a larger cuboid become one, and duplicates are dropped.
/// The result covers the same points.
std::vector<Cuboid> joined(std::vector<Cuboid> parts);

}  // namespace loom::session
