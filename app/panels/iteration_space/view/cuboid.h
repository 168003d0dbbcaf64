#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace loom::session {

/// A point of the iteration space, by axis.
using Point = std::array<std::int64_t, 3>;

/// A cuboid is the points p with from ≤ p < to along every axis.
struct Cuboid {
  Point from{}, to{};
  /// Returns the number of its points.
  std::int64_t points() const;
  friend bool operator==(const Cuboid&, const Cuboid&) = default;
};

/// Returns the smallest cuboid around both.
Cuboid hull(const Cuboid& a, const Cuboid& b);

/// Returns the cuboids with neighbours joined that make a larger cuboid together, and repetitions dropped.
std::vector<Cuboid> joined(std::vector<Cuboid> parts);

}  // namespace loom::session
