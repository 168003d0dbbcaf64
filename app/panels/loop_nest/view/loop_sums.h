#pragma once

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Fills in NestRow::below of each loop: sums of what the blocks, and the inits of blocks, inside the loop compute and
/// move over the whole grid. The figures of their rows must be filled in already.
void accumulateSubtree(LoopNest& nest);

/// Fills in NestRow::kin of each loop: the other loops of the nest that share an ancestor with it, a loop from which
/// both were made by split and fuse, in one step or several; none for a loop without such relatives. `state` is the
/// program that `nest` is of, with the step that made each of its loops.
void findRelatedLoops(LoopNest& nest, const schedule::State& state);

}  // namespace loom::session
