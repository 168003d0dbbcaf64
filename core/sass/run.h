// Runs machine code for a few warps, to count what it executes. Integers, addresses, predicates and branches are
// computed as the GPU would; floats and the contents of memory are not. The number of executions of each instruction,
// and the sectors and wavefronts of each access, thus follow from the code itself, whatever the compiler hoisted,
// joined or unrolled. Specialized warps take their own branches. A loop that waits for another warp, by
// testing an mbarrier until its phase has ended, counts as one iteration. Lanes that diverge at a branch are
// run separately, those at the lowest address first, and join again at the same instruction.
#pragma once
#include "core/device/program.h"
#include "core/sass/kernel.h"

namespace loom::sass {

// The counts of one instruction, summed over all warps of the grid.
struct InstructionRun {
  double executions = 0;          // how often a warp issued the instruction, whether or not a lane takes part
  double requests = 0;            // executions of a memory instruction with at least one active lane
  double lanes = 0;               // active lanes of all requests; for ldmatrix the lanes that give a row's address
  double lines = 0, sectors = 0;  // accessed in global memory: 128-byte lines, 32-byte sectors
  // Wavefronts of accesses to shared memory, those of asynchronous copies (LDGSTS) included; `conflicts` is the number
  // of wavefronts beyond the necessary ones.
  double wavefronts = 0, conflicts = 0;
  // Those of `lines` and `sectors` that L2 sees only once, because the store executed just before has written to them
  // as well.
  double joinedLines = 0, joinedSectors = 0;
  double partialSectors = 0;  // the other sectors of a store of which not all bytes are written
};

// The result of running a kernel's machine code: how often its instructions are executed by the whole grid. The counts
// of warps that weren't run are taken to be those of warps that were.
struct Run {
  std::vector<InstructionRun> instructions;  // by index in Kernel::instructions
  std::int64_t warpsRun = 0, warps = 0;      // the warps that were run, and all warps of the grid
  // Whether the counts are taken for exact: all warps were run; or all warps that were run had the same counts; or
  // warps with the same number in their block, in blocks with the same rank in their cluster, had the same counts.
  // False if persistent blocks, which compute several tiles each, were found to take different numbers of tiles.
  bool exact = true;
  // The number of executions of instructions that ask for what depends on time, and that are taken to be granted at
  // once (Operation::Granted). A thread that has to test an mbarrier or ask for registers again executes more than is
  // counted.
  double granted = 0;
};

// The limits of a run.
struct RunOptions {
  double instructionsAtMost = 1e7;  // the most instructions to execute for one warp
  double instructionsInAll = 1e6;   // about how many instructions to execute at most for all warps beyond the first
};

// Runs the machine code `sass` of a kernel for some of its warps. `kernel` is the kernel that was compiled to it; its
// launch shape and parameters are used. Errors: "SassUnknown" if a branch or an address depends on values that aren't
// computed, or if an instruction can't be followed, such as a call; "SassTooLong" if a warp executes more instructions
// than RunOptions::instructionsAtMost.
Result<Run> run(const Kernel& sass, const device::Kernel& kernel, const RunOptions& options = {});

}  // namespace loom::sass
