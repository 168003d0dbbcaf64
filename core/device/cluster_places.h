// The positions of a grid's blocks in their clusters. Clusters, the blocks of the grid, and the blocks of a cluster
// (ranks) are each numbered from 0, counted along x first; the numbers that are given must be in these ranges. In a
// grid without clusters, each block is a cluster of its own. The extents of a cluster must divide those of the grid.
#pragma once
#include "core/device/program.h"

namespace loom::device {

// A grid and its clusters: the blocks of the grid, and those of a cluster, along x, y, z. A kernel's grid must not
// depend on the program's symbols.
struct ClusteredGrid {
  using Extents = std::array<std::int64_t, 3>;
  Extents grid{1, 1, 1}, cluster{1, 1, 1};
  ClusteredGrid(const Extents& grid, const Extents& cluster) : grid(grid), cluster(cluster) {}
  ClusteredGrid(const Kernel& kernel)
      : ClusteredGrid(kernel.grid, kernel.cluster) {}  // a kernel may stand for its grid
};

// Returns the number of clusters along x, y, z.
ClusteredGrid::Extents clustersOf(const ClusteredGrid& grid);
// Return the number of the cluster that a block of the grid belongs to, and the block's rank in it (%cluster_ctarank).
std::int64_t clusterOf(const ClusteredGrid& grid, std::int64_t block);
std::int64_t rankInCluster(const ClusteredGrid& grid, std::int64_t block);
// Returns the number in the grid of the block with this rank in the cluster.
std::int64_t blockOf(const ClusteredGrid& grid, std::int64_t cluster, std::int64_t rank);

}  // namespace loom::device
