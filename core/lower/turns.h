// Tiles that warpgroups take in turns: while one stores its sums, another multiplies.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of the block of a product, by sch.annotate(block, kTurns, n): of the iterations of the loop around the pipeline, a
// tile each, n warpgroups take every n-th, and one after the other multiplies. Ours.
inline constexpr const char* kTurns = "tileloom.turns";

// What the statement's blocks ask for; 1 where none does. Error "NotAKernel" for other than 2 to 4.
Result<int> turnsOf(const device::Stmt& s);

// The part of the warps that multiply, `work`, of a kernel with one warpgroup, as that of as many as take turns. The
// loop of tiles is the one around the first pipelined loop in it, and gives each warpgroup (along threadIdx.y) its own
// iterations; shared memory that the part writes is there once for each. Adds nothing to the block's threads. Error
// "NotAKernel" where there is no such loop, and where the slots from which sums are stored (kSlots) don't go round
// whole times in the tiles that a warpgroup leaves out.
//
//     for t in 4: tile(t)   →   for t in 2: tile(t * 2 + threadIdx.y)
Result<device::Stmt> inTurns(device::Kernel& kernel, const device::Stmt& work);

}  // namespace loom::lower
