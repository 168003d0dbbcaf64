// Which blocks of a grid, and which iterations of a loop, go another way than others: a sample has some of each kind.
#pragma once
#include <vector>

#include "core/device/program.h"

namespace loom::exec {

// Returns blocks that stand for all others: for each way in which the kernel's conditions, minima and maxima come out
// over a block's threads and loops (always, never, either), the first and the last block. Blocks are numbered along x
// first and ascend; there are at most `most`. Returns nothing if the kernel has no condition on its blocks, or if the
// grid is too large to look at.
std::vector<std::int64_t> distinctBlocks(const device::Kernel& kernel, std::size_t most);

// Returns the same for the iterations of each loop of the kernel, by the loop's place in program order.
std::vector<std::vector<std::int64_t>> distinctIterations(const device::Kernel& kernel, std::size_t most);

}  // namespace loom::exec
