// Kernels whose blocks stay: as many blocks as the device runs at once, each of which goes on to the next tile until
// none is left. Their grid says nothing of how the last tiles are spread.
#pragma once
#include <cstdint>
#include <vector>

#include "core/device/program.h"

namespace loom::model {

// Returns how many blocks of the grid have work in each iteration of the kernel's loop over tiles, in the loop's order.
// That loop is the first one, in program order, whose whole body stands under a condition `tile < tiles` where `tile`
// depends on the loop's variable and blockIdx alone, grows from block 0 to block 1 by some step, and grows from one
// iteration to the next by at least that step times the grid's blocks. An example is
// `for turn in 8: if (turn * 132 + blockIdx.x < 1024) …` for 132 blocks, where the result is 132 seven times and then
// 100. A loop over consecutive tiles or rows of one block, `blockIdx.x * 8 + turn < n`, is no such loop, and other
// loops are looked at then. Iterations at the end in which no block has work are left out. Returns an empty list if the
// kernel has no such loop or only one block, if the loop's extent isn't constant or exceeds 4096, and if the condition
// can't be evaluated. Takes time in proportion to the grid's blocks and the loop's extent.
std::vector<std::int64_t> persistentTurns(const device::Kernel& kernel);

}  // namespace loom::model
