// Distributes the time of a simulated run over the timeline of a kernel whose warps have roles (some load tiles by the
// copy engine, others multiply).
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Replaces the clocks of the timeline's phases and actions, which come from the statements alone, by those of the
// simulated run `run`: the clocks of each track add up to those that the copy engine, shared memory or tensor cores are
// busy in parallel, and the rest of a block's life is waiting for the copy engine or for products. `life` is the length
// of a block's life in clocks of the timeline; `longer` is the number of clocks of the timeline for one clock of `run`.
void shareByRoles(Timeline& timeline, const RoleRun& run, double longer, double life);

}  // namespace loom::model
