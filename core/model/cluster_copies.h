// How the blocks of a cluster share data. With multicast, each block asks the copy engine (TMA) for a box, a part of a
// tile, which several blocks of the cluster receive. With distributed shared memory, each block has a slice of a buffer
// in its shared memory, which other blocks read.
#pragma once
#include "core/model/access.h"

namespace loom::model {

// A box that one block of a cluster asks for, or the slice that one block has.
struct ClusterPart {
  std::int64_t rank = 0;  // rank, in the cluster, of the block that asks for the box or has the slice
  // Row and column of the box's first element in the matrix in global memory (TMA's last two dimensions), in the first
  // iteration of all loops. For a slice, `row` is its number, which is `rank`, and `column` is 0.
  std::int64_t row = 0, column = 0;
  std::int64_t rows = 1, columns = 1;  // size of the box in elements; 1 for a slice
  std::uint64_t receivers = 0;         // bit r: the block of rank r receives the box, or reads the slice (its own, too)
};

// How the blocks of one cluster share a tile.
struct ClusterCopies {
  std::vector<std::int64_t> blocks;  // for each rank: the number of the block in the grid, counted along x first
  std::vector<ClusterPart> parts;    // one for each rank, in the order of ranks
  bool slices = false;  // whether `parts` are slices in distributed shared memory; otherwise boxes copied by multicast
};

// Returns how the cluster of the block with number `block` in the grid shares the data of an access, one of `kernel`'s.
// Returns nothing if the kernel has no clusters, if the access is neither a multicast copy nor a read of another
// block's shared memory, or if a value can't be computed from the block's number and the loops.
std::optional<ClusterCopies> clusterCopies(const KernelAccesses& kernel, const Access& access, std::int64_t block);

}  // namespace loom::model
