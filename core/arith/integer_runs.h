#pragma once

#include <array>
#include <cstdint>
#include <vector>

/// Sets of integers and of points of a box, as they come out of loops: few runs, few cuboids.
namespace loom::arith {

/// Consecutive integers.
struct Run {
  std::int64_t first = 0, count = 1;
  friend bool operator==(const Run&, const Run&) = default;
};
using Runs = std::vector<Run>;  ///< ascending, with gaps between

Runs runsOf(std::vector<std::int64_t> values);
/// All sums of one of `a` and one of `b`.
Runs sum(const Runs& a, const Runs& b);
/// Those in [0, extent).
Runs within(const Runs& runs, std::int64_t extent);
std::int64_t sizeOf(const Runs& runs);

using Point = std::array<std::int64_t, 3>;

/// The points p with from ≤ p < to.
struct Cuboid {
  Point from{}, to{};
  std::int64_t points() const;
  friend bool operator==(const Cuboid&, const Cuboid&) = default;
};
Cuboid hull(const Cuboid& a, const Cuboid& b);
/// Joins neighbours that make a larger cuboid together; what repeats another one goes.
std::vector<Cuboid> joined(std::vector<Cuboid> parts);

}  // namespace loom::arith
