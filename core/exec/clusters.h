// Blocks of the grid that run together.
#pragma once
#include <vector>

#include "core/exec/bytecode.h"

namespace loom::exec {

// The clusters of the given blocks of the grid (numbers, x fastest), each with the numbers of all its blocks in their
// order in the cluster; of all blocks where none are given.
std::vector<std::vector<std::int64_t>> clustersOf(const Code& code, const std::vector<std::int64_t>& blocks);

}  // namespace loom::exec
