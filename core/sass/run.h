// Machine code run for a few warps: every integer, address, predicate and branch is computed as the GPU would, floats
// and what memory holds are not. So each instruction's number of executions, and each access's sectors and wavefronts,
// follow from the code itself, whatever the compiler hoisted, joined or unrolled. Lanes that part at a branch go on
// separately, the ones behind first, and meet again where they come to the same instruction.
#pragma once
#include "core/device/program.h"
#include "core/sass/kernel.h"

namespace loom::sass {

// Sums over all warps of the grid, by instruction.
struct InstructionRun {
  double executions = 0;  // issued, whether or not a lane takes part
  double requests = 0;    // with at least one lane: memory instructions
  double lanes = 0;       // that take part in them; of ldmatrix those that name a row
  double lines = 0, sectors = 0;
  double wavefronts = 0, conflicts = 0;
  double joinedLines = 0, joinedSectors = 0;  // of these, stored together with the store before: L2 sees them once
  double partialSectors = 0;                  // of the others: sectors that aren't written whole
};

struct SassRun {
  std::vector<InstructionRun> instructions;  // as SassKernel::instructions
  std::int64_t warpsRun = 0, warps = 0;
  bool exact = true;  // all warps were run, or several that did the same
};

struct SassRunOptions {
  double instructionsAtMost = 1e7;  // of one warp
  double instructionsInAll = 1e6;   // of warps beyond the first
};

// Errors: "SassUnknown" when a branch or an address depends on what isn't computed, or an instruction isn't known;
// "SassTooLong" when the first warp takes more than the options allow.
Result<SassRun> runSass(const SassKernel& sass, const device::Kernel& kernel, const SassRunOptions& options = {});

}  // namespace loom::sass
