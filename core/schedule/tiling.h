// A tile for a tensor intrinsic.
#pragma once
#include "core/schedule/step_recorder.h"

namespace loom::schedule {

// Makes of the block's innermost loops one tile of what the intrinsic computes: its buffers are staged in the scopes
// that it wants (fragments only where it multiplies; another's must be there, of the operand that the block's readers
// take it for, as it lies in memory), each of its iterators' loops is split by its extent, the inner loops stand
// together at the innermost place, and a reduction that the intrinsic does not begin is decomposed. Gives the tile's
// outermost loop; nothing where extents don't divide, iterators are of other kinds, or a step is refused.
//
//   for i, j, k in T.grid(64, 64, 64):        for i_0, j_0, k_0:  for i_1, j_1, k_1 in T.grid(16, 16, 16):
//     block C                            →      block C_update
std::optional<Id> tileForIntrinsic(StepRecorder& lines, Id block, const std::string& intrinsic,
                                   const Environment& environment);

}  // namespace loom::schedule
