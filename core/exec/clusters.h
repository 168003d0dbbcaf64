// Blocks of the grid that run together.
#pragma once
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

// Returns the clusters of the given blocks of the grid, each with the numbers of all its blocks, by rank. Blocks are
// numbered along x first. If `blocks` is empty, returns all clusters.
std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks);

}  // namespace loom::exec
