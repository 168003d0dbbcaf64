#pragma once

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Fills in NestRow::below of each loop: sums of what the blocks and inits inside the loop compute and move over the
/// whole grid. The figures of the blocks and inits must be filled in already.
void accumulateSubtree(LoopNest& nest);

/// Fills in NestRow::kin of each loop: the other loops of the nest that split and fuse made, directly or indirectly,
/// from a loop that this loop was also made from; none for a loop without such relatives. `state` is the program that
/// `nest` is of, with the step that made each of its loops.
void findRelatedLoops(LoopNest& nest, const schedule::State& state);

}  // namespace loom::session
