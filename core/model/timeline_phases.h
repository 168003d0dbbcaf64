// How long the phases of a block's life take by what its actions ask of the tracks, and where copies that nobody waits
// for at once go on: in the phases behind their own, and in a loop that repeats, at the beginning of its next pass.
#pragma once
#include <vector>

#include "core/model/timeline.h"

namespace loom::model {

// Sets the clocks and waits of all phases of `timeline` to the sums over their actions, and from these `busiest`,
// `throughput`, `exposed` and `copies`. Requires the phases' `times` and the actions' `clocks` and `waits`. `beside` is
// whether L2 or device memory limits copies, so that they run beside shared memory, and asynchronous ones also behind
// their phase. Then `lines` counts: the clocks for which each action's accesses to global memory keep the pipe of
// memory instructions busy, by Timeline::actions; no more than its clocks of Track::Copy. Returns the clocks of a
// block's life without waiting.
double shareByPhases(Timeline& timeline, const std::vector<double>& lines, bool beside);

}  // namespace loom::model
