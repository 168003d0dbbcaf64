#pragma once

#include <cstdint>
#include <vector>

/// Sets of integers as the indices of loops form them, stored as a few runs of consecutive integers.
namespace loom::arith {

/// The integers first, first + 1, …, first + count - 1; `count` is at least 1.
struct Run {
  std::int64_t first = 0, count = 1;
  friend bool operator==(const Run&, const Run&) = default;
};
using Runs = std::vector<Run>;  ///< a set: runs in ascending order with a gap between any two; empty for the empty set

/// Returns the set of these values, which may come in any order and more than once.
Runs runsOf(std::vector<std::int64_t> values);
/// Returns the set of all integers in `runs`, which needn't be a set yet: they may overlap and come in any order.
Runs joined(Runs runs);
/// Returns all sums of an element of `a` and an element of `b`.
Runs sum(const Runs& a, const Runs& b);
/// Returns the elements in [0, extent), none if `extent` is below 1.
Runs within(const Runs& runs, std::int64_t extent);
/// Returns the number of elements.
std::int64_t sizeOf(const Runs& runs);

}  // namespace loom::arith
