// Where the blocks of a grid are in their clusters: numbers of clusters, and of blocks in one, count x first. A kernel
// without clusters has one block in each.
#pragma once
#include "core/device/program.h"

namespace loom::device {

// The cluster of a block of the grid, and the number of the block in it (%cluster_ctarank).
std::int64_t clusterOf(const Kernel& kernel, std::int64_t block);
std::int64_t rankInCluster(const Kernel& kernel, std::int64_t block);
// The number in the grid of the block that has this number in the cluster.
std::int64_t blockOf(const Kernel& kernel, std::int64_t cluster, std::int64_t rank);

}  // namespace loom::device
