#pragma once

#include <cstdint>
#include <vector>

/// Sets of integers, as they come out of loops: few runs of consecutive ones.
namespace loom::arith {

/// Consecutive integers.
struct Run {
  std::int64_t first = 0, count = 1;
  friend bool operator==(const Run&, const Run&) = default;
};
using Runs = std::vector<Run>;  ///< ascending, with gaps between

Runs runsOf(std::vector<std::int64_t> values);
/// Returns the elements of runs that may overlap and come in any order.
Runs joined(Runs runs);
/// Returns all sums of an element of `a` and an element of `b`.
Runs sum(const Runs& a, const Runs& b);
/// Returns the elements in [0, extent).
Runs within(const Runs& runs, std::int64_t extent);
std::int64_t sizeOf(const Runs& runs);

}  // namespace loom::arith
