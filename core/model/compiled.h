// What the machine code does: each instruction of the SASS with the number of times that warps execute it, and for
// memory instructions what their addresses cost. The code is run for some warps (core/sass/run.h). Where that can't be,
// since a branch depends on what memory holds or a warp runs too long, iteration counts of SASS loops come from
// *anchors*: instructions whose total the program fixes (multiply-adds, tensor products, stores, barriers), divided by
// their copies in the loop. Addresses are those of the access that the instruction's line and kind lead to, at its
// width.
#pragma once
#include <map>
#include <optional>

#include "core/codegen/cuda.h"
#include "core/model/count.h"
#include "core/sass/kernel.h"

namespace loom::model {

// A memory instruction of the machine code, matched to the program's accesses.
struct CompiledAccess {
  int instruction = 0;            // index into sass::Kernel::instructions
  std::vector<int> accesses;      // candidates in KernelAccesses; cost is their mean when there are several
  double executions = 0;          // by warps, over the grid, with at least one lane that takes part
  double lanes = 0;               // that take part in them
  double lines = 0, sectors = 0;  // global
  double joinedLines = 0, joinedSectors = 0, partialSectors = 0;  // of stores, see sass::InstructionRun
  double wavefronts = 0, conflicts = 0;                           // shared; of a copy past registers where it goes
  double bytes = 0;                                               // per lane and execution
};

// How often a loop of the machine code is executed.
struct CompiledLoop {
  double iterations = 0;  // by warps, over the grid
  Message how;            // "1048576 fp32 operations of block C by 16 copies"
  bool anchored = false;
};

// What the machine code of a kernel does over the whole grid.
struct CompiledCount {
  std::vector<CompiledLoop> loops;  // by sass::Kernel::loops
  std::vector<CompiledAccess> memory;
  std::vector<double> executions;         // by sass::Kernel::instructions: of warps, over the grid
  std::map<sass::Pipe, double> executed;  // warp instructions by pipe, over the grid
  double instructions = 0;
  int hotLoop = -1;                  // most executed instructions; -1 without loops
  std::map<sass::Pipe, int> hotMix;  // instructions of its body by pipe
  // Sums by ncu's names, as in KernelCount.
  double globalLoadRequests = 0, globalLoadSectors = 0, globalStoreRequests = 0, globalStoreSectors = 0;
  double sharedLoadWavefronts = 0, sharedLoadConflicts = 0, sharedStoreWavefronts = 0, sharedStoreConflicts = 0;
  // Of shared memory, what the copy engine and tensor cores move by themselves. The code has only descriptors: this is
  // as the program says.
  double wavefrontsByThemselves = 0;
  bool exact = true;  // see `how`: all warps that were run did the same; or every loop anchored and every memory
                      // instruction led to one access
  Message how;        // "modelled from 64 of 16384 warps"
  // Questions of waits that depend on time, over the grid, of which each is counted as answered at once; a warp that
  // waits asks again. 0 where the code wasn't run.
  double granted = 0;
  // Where the code couldn't be run: an instruction that belongs to no access of the program, whose cost is missing.
  std::optional<Error> problem;
};

// Returns the warp instructions over the grid by opcode, as ncu has them (sass__inst_executed_per_opcode): by the part
// before the first point, "HGMMA". The most frequent comes first; opcodes that no warp executes are left out.
std::vector<std::pair<std::string, double>> executedByOpcode(const sass::Kernel& sass, const CompiledCount& compiled);

// Counts what the machine code does. `source` is the text that was compiled; it says what a line stands for.
CompiledCount countCompiled(const KernelAccesses& kernel, const KernelCount& count, const sass::Kernel& sass,
                            const codegen::Source& source, const CountOptions& options = {});

}  // namespace loom::model
