#pragma once

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Fills in what lies below each loop, from the rows of blocks and inits.
void accumulateSubtree(LoopNest& nest);

/// Fills in each loop's relatives: those that split and fuse made of the same loops as it, or of what these were made
/// from.
void findRelatedLoops(LoopNest& nest, const schedule::State& state);

}  // namespace loom::session
