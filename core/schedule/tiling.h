// Prepares a block for `tensorize`: the steps that split off a tile of the extents of a tensor intrinsic.
#pragma once
#include "core/schedule/step_recorder.h"

namespace loom::schedule {

// Applies steps, recorded in `lines`, after which the block's innermost loops are one tile of what the intrinsic
// computes, so that `tensorize` can take it:
//  - the buffers of the block are staged in the storage scopes that the intrinsic's description names. Fragments are
//    staged only for an intrinsic that multiplies; for one that loads, fills or stores a fragment, the block's buffer
//    must be in that scope already. If blocks multiply with a loaded fragment, it must be the operand (A or B) and in
//    the order (row_major or col_major) that the intrinsic loads;
//  - the loop of each iterator is split by the intrinsic's extent, and the inner loops are reordered to the innermost
//    place;
//  - a reduction is decomposed if the intrinsic has no init of its own.
// Returns the tile's outermost loop. Returns nothing for an unknown intrinsic, where the tile's extents don't divide
// the loops' extents, where an iterator of the block is of another kind (spatial, reduce) than the intrinsic's, or
// where a step is refused; the steps before stay in `lines`. `environment` has the intrinsics.
//
//   for i, j, k in T.grid(64, 64, 64):        for i_0, j_0, k_0:  for i_1, j_1, k_1 in T.grid(16, 16, 16):
//     block C                            →      block C_update
std::optional<Id> tileForIntrinsic(StepRecorder& lines, Id block, const std::string& intrinsic,
                                   const Environment& environment);

}  // namespace loom::schedule
