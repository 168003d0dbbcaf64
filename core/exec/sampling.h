// What of a program to run when all of it would take too long.
#pragma once
#include "core/exec/execute.h"

namespace loom::exec {

// A plan that is likely to take at most `seconds` on one core, as far as leaving out blocks of the grid and iterations
// of loops over outputs can bring it there; reductions always run whole. `scheduled` is what `executable` was lowered
// from, `contents` what its parameters hold, by position. Among the blocks that run are always the first and the last,
// where more than two can run the first's neighbours along each axis, some for each way in which the kernel's
// conditions come out, and blocks that meet in global memory, however far apart; the others are pseudo-random from the
// seed. Iterations are chosen likewise.
Plan samplingPlan(double seconds, const ir::Function& scheduled, const Executable& executable,
                  const std::map<int, InputValues>& contents, std::uint64_t seed, std::stop_token stop = {});

}  // namespace loom::exec
