// How a block's life is spent where its warps have roles.
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Puts what roles and agents do (`Estimate::roles`) in place of what the statements ask for by themselves: the tracks'
// clocks add up to those that the copy engine, shared memory and tensor cores are busy, side by side; the rest of the
// predicted time is waiting, for boxes or for products. `life`: clocks of a block's life that is to be shared out.
void shareByRoles(Timeline& timeline, const RoleRun& run, double longer, double life);

}  // namespace loom::model
