// Runs machine code for a few warps, to count what it executes. Integers, addresses, predicates and branches are
// computed as the GPU would; floats and the contents of memory are not. The number of executions of each instruction,
// and the sectors and wavefronts of each access, thus follow from the code itself, whatever the compiler hoisted,
// joined or unrolled. Warps with roles of their own take their own branches. Where a warp waits for another, as
// mbarriers are asked until they are ready, the one pass that succeeds is counted. Lanes that diverge at a branch are
// run separately, those behind first, and join again at the same instruction.
#pragma once
#include "core/device/program.h"
#include "core/sass/kernel.h"

namespace loom::sass {

// The counts of one instruction, summed over all warps of the grid.
struct InstructionRun {
  double executions = 0;          // how often it was issued, whether or not a lane takes part
  double requests = 0;            // of a memory instruction: executions with at least one active lane
  double lanes = 0;               // active lanes of all requests; of ldmatrix those that give a row's address
  double lines = 0, sectors = 0;  // of global memory: 128-byte lines, 32-byte sectors
  // Of shared memory, also where a copy past registers goes; conflicts are the wavefronts beyond the necessary ones.
  double wavefronts = 0, conflicts = 0;
  // Lines and sectors that L2 sees only once, because the store before has written to them as well.
  double joinedLines = 0, joinedSectors = 0;
  double partialSectors = 0;  // of the other sectors of a store, those that are not written whole
};

// The result of running a kernel's machine code: how often its instructions were executed.
struct Run {
  std::vector<InstructionRun> instructions;  // as Kernel::instructions
  std::int64_t warpsRun = 0, warps = 0;
  // All warps were run, or several that did the same; or warps of the same number did the same in all blocks that were.
  bool exact = true;
  // Questions about what depends on time, each counted as answered by yes at once (Operation::Granted): a thread that
  // has to ask an mbarrier again, or for registers, executes more than is counted here.
  double granted = 0;
};

// The limits of a run.
struct RunOptions {
  double instructionsAtMost = 1e7;  // of one warp
  double instructionsInAll = 1e6;   // of warps beyond the first
};

// Runs a kernel's machine code for some of its warps. Errors: "SassUnknown" if a branch or an address depends on what
// isn't computed, or an instruction isn't known; "SassTooLong" if the first warp takes more steps than the options
// allow.
Result<Run> run(const Kernel& sass, const device::Kernel& kernel, const RunOptions& options = {});

}  // namespace loom::sass
