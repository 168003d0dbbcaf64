// Distributes the time of a simulated run over the timeline of a kernel whose warps have roles (some load tiles by the
// copy engine, others multiply). A timeline is the life of one thread block, divided into phases and actions
// (statements); their clocks are given for each track, which is a kind of resource.
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Replaces the clocks of the timeline's phases and actions, which come from the statements alone, by those of the
// simulated run `run`. Over a block's life, Track::Copy gets the clocks in which the copy engine loads plus those in
// which L2 is written, Track::Shared those of shared memory, and Track::Arithmetic those of tensor cores; Track::Issue
// keeps its own. No track gets more than the life, and what is left of the life is waiting for the copy engine or for
// products.
// `life` is the length of a block's life in clocks of the timeline; `longer` is the number of clocks of the timeline
// for one clock of `run`.
void shareByRoles(Timeline& timeline, const RoleRun& run, double longer, double life);

}  // namespace loom::model
