// Chooses which blocks and loop iterations of a program to run when the whole program would take too long.
#pragma once
#include "core/exec/execute.h"

namespace loom::exec {

// Returns a plan of what to run that is likely to take at most `seconds` on one core, as far as leaving out blocks of
// the grid and iterations of loops over outputs can bring it there; reductions always run whole. `executable` is the
// program compiled from `scheduled`; `contents` has the initial contents of its parameters, by position. Among the
// blocks that run are always the first and the last, where more than two can run the first's neighbours along each
// axis, some for each way in which the kernel's conditions come out, and blocks that meet in global memory, however far
// apart; the others are pseudo-random from the seed. Iterations of a loop are chosen likewise; but if warpgroups take
// the iterations in turns, the first ones run. `stop` ends the search for blocks that meet; the plan is complete all
// the same.
Plan samplingPlan(double seconds, const ir::Function& scheduled, const Executable& executable,
                  const std::map<int, InputValues>& contents, std::uint64_t seed, std::stop_token stop = {});

}  // namespace loom::exec
