// Pingpong kernels: warpgroups take tiles in turns, so that one multiplies while another stores its sums.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// The annotation of a block that multiplies matrices, sch.annotate(block, kTurns, n). Each iteration of the loop around
// the pipelined loop computes a tile of the result. n warpgroups take every n-th iteration each, and multiply one after
// the other. TVM has no such annotation.
inline constexpr const char* kTurns = "tileloom.turns";

// Returns the number of warpgroups among which the blocks in the statement ask to divide the tiles (kTurns), by the
// last block that asks; 1 if no block asks or the statement is null. Error "NotAKernel" if any block has a value other
// than a whole number from 2 to 4.
Result<int> turnsOf(const device::Stmt& s);

// Rewrites `work`, the statements that the warps of `kernel` execute that multiply (roles.h), from one warpgroup to n
// that take turns (kTurns), and returns the result; returns `work` itself if no block has the annotation or it is null.
// In `kernel`, shared memory that `work` writes becomes n times as large, a part for each warpgroup; after an error
// nothing has changed. `splitRoles` (roles.h) calls it, after the loops were pipelined, which places the mbarriers for
// the order of the products, and then sets the number of threads of the block. The loop over tiles is the one around
// the first pipelined loop in `work`: afterwards each warpgroup (threadIdx.y) has its own iterations; if n doesn't
// divide their number, a condition leaves out those beyond the last tile. Error "NotAKernel" as for `turnsOf`; if the
// block has several threads along threadIdx.y already; if there is no such loop or it isn't a serial one; and if a
// warpgroup computes several tiles, whose sums are stored part by part from a ring buffer of several slots, and the
// parts of n - 1 tiles aren't whole rounds of the slots.
//
//      n = 2:   for t in 4: tile(t)   →   for t in 2: tile(t * 2 + threadIdx.y)
Result<device::Stmt> inTurns(device::Kernel& kernel, const device::Stmt& work);

}  // namespace loom::lower
