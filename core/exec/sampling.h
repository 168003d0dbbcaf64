// What of a program to run when all of it would take too long.
#pragma once
#include "core/exec/execute.h"

namespace loom::exec {

// A plan that is likely to take at most `seconds` on one core, as far as leaving out blocks of the grid and iterations
// of loops over outputs can bring it there; reductions always run whole. `scheduled` is what `executable` was lowered
// from. The first and last blocks of the grid are always among those that run, with the first's neighbours along each
// axis where more than two can run; the others, and iterations beyond the first and last, are pseudo-random from the
// seed.
Plan planWithin(double seconds, const ir::Function& scheduled, const Executable& executable, std::uint64_t seed);

}  // namespace loom::exec
