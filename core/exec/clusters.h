// The thread block clusters of a kernel's grid, whose blocks run at the same time.
#pragma once
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

// Returns the clusters that the given blocks of the grid belong to, each once, in their order in the grid along x
// first; each as the numbers of all of its blocks by rank. Blocks are numbered in the grid along x first, and must lie
// in it. If `blocks` is empty, returns all clusters of the grid. A kernel without clusters has clusters of one block.
// `code` is the kernel compiled for the executor.
std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks);

}  // namespace loom::exec
