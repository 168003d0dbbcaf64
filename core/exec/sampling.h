// Chooses which blocks and loop iterations of a program to run when the whole program would take too long.
#pragma once
#include "core/exec/execute.h"

namespace loom::exec {

// Returns a plan of what to run that is likely to take at most `seconds` on one core, as far as leaving out blocks of
// the grid and iterations of loops over outputs can bring it there; reductions always run whole. `executable` is the
// program compiled from `scheduled`; `contents` has the initial contents of its parameters, by position. Among the
// blocks that run are always the first and the last; if more than two can run, the first's neighbour along each axis;
// some for each way in which the kernel's conditions come out (guard_classes.h); and blocks that access the same
// elements of global memory, however far apart (footprint.h). The others are pseudo-random from the seed. Iterations of
// a loop are chosen likewise, but the first ones run if warpgroups take turns at the iterations. `stop` ends the search
// for blocks that access the same elements; the plan is valid all the same.
Plan samplingPlan(double seconds, const ir::Function& scheduled, const Executable& executable,
                  const std::map<int, InputValues>& contents, std::uint64_t seed, std::stop_token stop = {});

}  // namespace loom::exec
