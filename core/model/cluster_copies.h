// What the blocks of a cluster have of each other: by multicast each asks the copy engine for a part of a tile, and
// several get it; or each has a slice of a buffer in its shared memory, which others read.
#pragma once
#include "core/model/access.h"

namespace loom::model {

// A box that one block asks for, or its slice.
struct ClusterPart {
  std::int64_t rank = 0;  // of the block that asks, in the cluster
  std::int64_t row = 0,
               column = 0;  // of its first element in the matrix in global memory, in all loops' first iteration
  std::int64_t rows = 1, columns = 1;  // elements
  std::uint64_t receivers = 0;         // bit r: the block of rank r gets it
};

// How the blocks of one cluster share a tile.
struct ClusterCopies {
  std::vector<std::int64_t> blocks;  // of the cluster by rank: their numbers in the grid
  std::vector<ClusterPart> parts;    // by rank of those that ask, or have the slice
  bool slices = false;               // they stay where they are and are read there; each is one row
};

// Returns the copies of the cluster that `block` is in. Returns nothing for an access that no multicast copy makes and
// that reads no other block's shared memory, and if a value can't be computed from the block's number and the loops.
std::optional<ClusterCopies> clusterCopies(const KernelAccesses& kernel, const Access& access, std::int64_t block);

}  // namespace loom::model
