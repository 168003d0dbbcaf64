// Pingpong kernels: warpgroups take tiles in turns, so that one multiplies while another stores its sums.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// The annotation of a block that multiplies matrices, sch.annotate(block, kTurns, n). Each iteration of the loop around
// the pipelined loop computes a tile. n warpgroups take every n-th iteration each, and multiply one after the other.
// TVM has no such annotation.
inline constexpr const char* kTurns = "tileloom.turns";

// Returns the number of warpgroups among which the blocks in the statement ask to divide the tiles (kTurns), by the
// last block that asks; 1 if no block asks or the statement is null. Error "NotAKernel" for a value other than 2 to 4.
Result<int> turnsOf(const device::Stmt& s);

// Rewrites `work`, the statements that the multiplying warps of a kernel execute, from one warpgroup to n that take
// turns (kTurns), and returns the result; returns `work` itself if no block has the annotation. `splitRoles` (roles.h)
// calls it, after loops were pipelined, and sets the number of threads of the block. The loop over tiles is the one
// around the first pipelined loop in `work`: afterwards it gives each warpgroup (along threadIdx.y) its own iterations.
// Shared memory that `work` writes is allocated once for each warpgroup. Error "NotAKernel" as for `turnsOf`, if the
// block has several threads along threadIdx.y already, if there is no such loop or it isn't a serial one, and if a
// tile's sums are stored part by part from several slots of a ring buffer, and the number of parts of the n - 1 tiles
// that a warpgroup leaves out isn't a multiple of the number of slots.
//
//      n = 2:   for t in 4: tile(t)   →   for t in 2: tile(t * 2 + threadIdx.y)
Result<device::Stmt> inTurns(device::Kernel& kernel, const device::Stmt& work);

}  // namespace loom::lower
