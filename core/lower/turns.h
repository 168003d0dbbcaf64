// Pingpong kernels: warpgroups take tiles in turns, so that one multiplies while another stores its sums.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// The annotation of a product's block, sch.annotate(block, kTurns, n). Each iteration of the loop around the pipeline
// computes a tile. Of n warpgroups each takes every n-th iteration, and they multiply one after the other. TVM has no
// such annotation.
inline constexpr const char* kTurns = "tileloom.turns";

// Returns into how many turns the blocks in the statement ask warpgroups to share tiles (kTurns); 1 if none asks. Error
// "NotAKernel" for a value other than 2 to 4.
Result<int> turnsOf(const device::Stmt& s);

// Turns the part of the warps that multiply, `work`, of a kernel with one such warpgroup into that of several
// warpgroups that take turns. The loop over tiles is the one around the first pipelined loop in `work`; it gives each
// warpgroup (along threadIdx.y) its own iterations. Shared memory that the part writes is allocated once for each
// warpgroup. The number of threads of the block stays. Error "NotAKernel" if there is no such loop,
// or if the tiles that a warpgroup leaves out don't use the slots from which sums are stored (kSlots) a whole number of
// times.
//
//      for t in 4: tile(t)   →   for t in 2: tile(t * 2 + threadIdx.y)
Result<device::Stmt> inTurns(device::Kernel& kernel, const device::Stmt& work);

}  // namespace loom::lower
