// What the machine code asks of the pipes, action by action.
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Puts what the code does, over the whole grid, in place of what is written; `sectors` becomes what goes to L2. An
// instruction belongs to the barrier or block of its line; there, to the statement that does what it does; one whose
// line says nothing, to the action before it. `barriers`: actions, in the order of the program's barriers.
void addMachineCode(Timeline& timeline, const KernelAccesses& kernel, const sass::Kernel& sass,
                    const codegen::Source& source, const CompiledCount& compiled, const Misses& misses,
                    const std::vector<int>& barriers, const CalibratedConstants& fitted, std::vector<double>& sectors);

}  // namespace loom::model
