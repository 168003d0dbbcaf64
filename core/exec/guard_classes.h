// Classes of blocks of a grid, and of iterations of a loop, for which the kernel's conditions come out alike. A sample
// of a program has members of each class.
#pragma once
#include <vector>

#include "core/device/program.h"

namespace loom::exec {

// Returns blocks that stand for all others: for each way in which the kernel's conditions come out over a block's
// threads and loops (always, never, either), the first and the last block. A minimum or maximum counts as the condition
// that its first operand is the smaller one; that a box of the copy engine (TMA) lies within its matrix counts as a
// condition, too. Blocks are numbered along x first and ascend; there are at most `most`, those of the rarest ways
// before others. Returns an empty list if no condition depends on the block, if all come out in the same way for all
// blocks, or if the grid, which must not depend on symbols, has more than 65536 blocks.
std::vector<std::int64_t> distinctBlocks(const device::Kernel& kernel, std::size_t most);

// Returns for each loop of the kernel, by its place in program order, the iterations (from 0) that stand for all others
// of the loop: at most `most` for each loop, ascending. The list is empty for a loop whose iterations are all alike,
// that no condition depends on, whose extent isn't constant, or that has more than 65536 iterations.
std::vector<std::vector<std::int64_t>> distinctIterations(const device::Kernel& kernel, std::size_t most);

}  // namespace loom::exec
