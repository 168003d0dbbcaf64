// Kernels whose blocks stay: as many blocks as the device runs at once, each of which goes on to the next tile until
// none is left. Their grid says nothing of how the last tiles are spread.
#pragma once
#include <cstdint>
#include <vector>

#include "core/device/program.h"

namespace loom::model {

// Returns how many blocks of the grid have work in each iteration of the kernel's loop over tiles, in the loop's order.
// That loop is the first one, in program order, whose whole body stands under a condition on its variable and blockIdx
// alone, as in `for turn in 8: if (turn * 132 + blockIdx.x < 1024) …`, where the result is 132 seven times and then
// 100. Iterations at the end in which no block has work are left out. Returns an empty list if the kernel has no such
// loop, if its extent isn't constant or exceeds 4096, if the condition can't be evaluated, and if blocks don't take
// turns: if a block's next tile is that of another block. Takes time in proportion to the grid's blocks and the loop's
// extent.
std::vector<std::int64_t> persistentTurns(const device::Kernel& kernel);

}  // namespace loom::model
