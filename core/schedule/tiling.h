// Prepares a block for `tensorize`: the steps that split off a tile of the extents of a tensor intrinsic.
#pragma once
#include "core/schedule/step_recorder.h"

namespace loom::schedule {

// Applies steps, recorded in `lines`, after which the innermost loops of `block` are one tile of what the intrinsic
// computes, so that `tensorize` can take it:
//  - a buffer of the block that isn't in the storage scope of the intrinsic's buffer is staged there by cache_read or
//    cache_write. Buffers are paired in the order in which this block and the intrinsic's read and write them;
//  - the block's last iterators are paired with the intrinsic's, in their order; iterators before them, such as
//    a batch's, stay outside of the tile. The innermost loop that a paired iterator is bound to is split by the
//    intrinsic's extent, unless it has that extent already, and the inner loops are reordered to the innermost place;
//  - a reduction is decomposed if the intrinsic has no init of its own.
// Returns the tile's outermost loop. Returns nothing, with the steps so far left in `lines`,
//  - for an intrinsic that `environment` doesn't have;
//  - if the block has fewer iterators than the intrinsic or another number of buffers, or if a pair of iterators is of
//    different kinds (spatial, reduce);
//  - if an extent of the tile doesn't divide that of its loop, if two paired iterators are bound to the same loop, or
//    one to none;
//  - if the intrinsic loads, fills or stores a fragment (computes no product) and the block's buffer isn't in the
//    fragment's scope already: only a product's buffers are staged to fragments;
//  - if the intrinsic loads a fragment, and a block that multiplies with it takes it as another operand (A or B) or in
//    another order (row_major or col_major) than the intrinsic;
//  - if a step is refused.
//
//   for i, j, k in T.grid(64, 64, 64):        for i_0, j_0, k_0:  for i_1, j_1, k_1 in T.grid(16, 16, 16):
//     block C                            →      block C_update
std::optional<Id> tileForIntrinsic(StepRecorder& lines, Id block, const std::string& intrinsic,
                                   const Environment& environment);

}  // namespace loom::schedule
