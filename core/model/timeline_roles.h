// Distributes the time of a simulated run over the timeline of a kernel whose warps have roles (some load tiles by the
// copy engine, others multiply). A timeline is the life of one thread block, divided into phases and actions
// (statements); their clocks are given for each track, which is a kind of resource.
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Replaces the clocks of the timeline's phases and actions, which come from the statements alone, by those of the
// simulated run `run`. Over a block's life, Track::Copy gets the clocks in which the copy engine loads plus those in
// which L2 is written, Track::Shared those of shared memory, and Track::Arithmetic those of tensor cores; Track::Issue
// keeps its own. Each track's clocks are divided among phases and actions in proportion to those that they had on that
// track. No track gets more than the life. Tracks run at the same time, so that a phase lasts as long as its busiest
// track; what the phases together leave of the life is waiting, which each phase gets in proportion to its length, in
// its waits for Track::Copy (mbarriers) and Track::Arithmetic (products), in the ratio of the run's two waits.
// `life` is the length of a block's life in clocks of the timeline; `longer` is the number of clocks of the timeline
// for one clock of `run`.
void shareByRoles(Timeline& timeline, const RoleRun& run, double longer, double life);

}  // namespace loom::model
