// Distributes the work of the machine code over a timeline: the life of one thread block, divided into actions, which
// are statements of the program.
#pragma once
#include "core/model/timeline.h"

namespace loom::model {

// Replaces the use of pipes of each action (TimelineAction::demand), which comes from the program as written, by that
// of the machine code, and adds to TimelineAction::waits the clocks that warps wait for registers, and at barriers and
// branches (PassClocks::wait), by the track that they wait for and summed over all warps. Both are sums over the whole
// grid and over all passes, the executions of an action in the iterations of the loops around it, as those of the
// program are at that point: `timelineOf`, which calls this, then brings them to one block and one pass. An instruction
// belongs to the action of the statement that its line of the CUDA text was printed for, with two exceptions: a memory
// access that this statement doesn't make belongs to the first action that does make it; and arithmetic on the line of
// an action that isn't a product (TimelineAction::Kind::Multiply), or another instruction on the line of one that is,
// belongs to an action of the same TIR block for which it would be right, if there is one. An instruction whose line
// has no statement belongs to the action of the instruction before it, at the beginning to the first action. `misses`
// has the shares of loads that miss the caches. `barriers` has for each barrier of the program
// (KernelAccesses::barriers) the index of its action. The sectors that each action requests from L2 over the grid are
// added to `sectors`, which has an entry for each action. `kernel` lists the kernel's accesses; `source` is the CUDA
// text that the machine code `sass` was compiled from, and `compiled` has the counts of that code; `fitted` are the
// model's constants.
void addMachineCode(Timeline& timeline, const KernelAccesses& kernel, const sass::Kernel& sass,
                    const codegen::Source& source, const CompiledCount& compiled, const Misses& misses,
                    const std::vector<int>& barriers, const CalibratedConstants& fitted, std::vector<double>& sectors);

}  // namespace loom::model
