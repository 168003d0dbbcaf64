// Blocks of the grid that run together.
#pragma once
#include <set>
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

// The clusters of the given blocks of the grid (numbers, x fastest), each with the numbers of all its blocks in their
// order in the cluster; of all blocks where none are given.
inline std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks) {
  const auto &grid = code.grid, &cluster = code.cluster;
  const std::array<std::int64_t, 3> clusters{grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]};
  std::set<std::int64_t> wanted;
  for (std::int64_t n : blocks) {
    const std::int64_t x = n % grid[0], y = n / grid[0] % grid[1], z = n / grid[0] / grid[1];
    wanted.insert((z / cluster[2] * clusters[1] + y / cluster[1]) * clusters[0] + x / cluster[0]);
  }
  if (blocks.empty())
    for (std::int64_t n = 0; n < clusters[0] * clusters[1] * clusters[2]; ++n) wanted.insert(wanted.end(), n);
  std::vector<std::vector<std::int64_t>> all;
  for (std::int64_t n : wanted) {
    auto& own = all.emplace_back();
    for (int b = 0; b < code.blocksOfCluster(); ++b) {
      const std::int64_t x = n % clusters[0] * cluster[0] + b % cluster[0],
                         y = n / clusters[0] % clusters[1] * cluster[1] + b / cluster[0] % cluster[1],
                         z = n / clusters[0] / clusters[1] * cluster[2] + b / cluster[0] / cluster[1];
      own.push_back((z * grid[1] + y) * grid[0] + x);
    }
  }
  return all;
}

}  // namespace loom::exec
