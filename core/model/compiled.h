// Counts of the machine code (SASS): how often warps execute each instruction, and for memory instructions the sectors
// and wavefronts that their addresses need. The code is interpreted for some warps. If that isn't possible, because a
// branch depends on the content of memory or a warp runs too long, the iteration counts of loops are computed from
// *anchors*: instructions whose total number the program determines (multiply-adds, tensor-core products, stores,
// barriers), divided by their copies in the loop. Addresses are then those of the access of the program that the
// instruction's line of the CUDA text and its kind lead to, with the instruction's width.
#pragma once
#include <map>
#include <optional>

#include "core/codegen/cuda.h"
#include "core/model/count.h"
#include "core/sass/kernel.h"

namespace loom::model {

// A memory instruction of the machine code, matched to the program's accesses.
struct CompiledAccess {
  int instruction = 0;  // index into sass::Kernel::instructions
  // The accesses that the instruction may belong to, as indices into KernelAccesses::accesses. With several, the counts
  // below are means over them.
  std::vector<int> accesses;
  double executions = 0;          // executions by warps of the grid with at least one active lane
  double lanes = 0;               // active lanes, summed over the executions
  double lines = 0, sectors = 0;  // 128-byte lines and 32-byte sectors of global memory, summed over the executions
  // Sums over the stores to global memory: those of `lines` and `sectors` that L2 sees only once, because the store
  // before wrote to them as well; and the other sectors of which not all bytes are written.
  double joinedLines = 0, joinedSectors = 0, partialSectors = 0;
  // Wavefronts of shared memory and those that bank conflicts add; for a copy from global to shared memory without
  // registers (cp.async), those of its writes to shared memory.
  double wavefronts = 0, conflicts = 0;
  double bytes = 0;  // bytes of one lane in one execution
};

// How often a loop of the machine code is executed.
struct CompiledLoop {
  double iterations = 0;  // iterations, summed over all warps of the grid
  Message how;            // how the number was obtained: "1048576 fp32 operations of block C by 16 copies"
  // true: the number was counted by interpreting the code, or computed from an anchor. false: it is that of the
  // program's loop on the same line of the CUDA text, or an assumption.
  bool anchored = false;
};

// What the machine code of a kernel does over the whole grid.
struct CompiledCount {
  std::vector<CompiledLoop> loops;        // one for each of sass::Kernel::loops
  std::vector<CompiledAccess> memory;     // the memory instructions, in the order of the code
  std::vector<double> executions;         // executions by warps of the grid, for each of sass::Kernel::instructions
  std::map<sass::Pipe, double> executed;  // executed warp instructions of the grid, by pipe
  double instructions = 0;                // executed warp instructions of the grid
  int hotLoop = -1;  // the loop with the most executed instructions, without inner loops; -1 without loops
  std::map<sass::Pipe, int> hotMix;  // number of instructions in that loop's code without inner loops, by pipe
  // Sums by ncu's names, as in KernelCount.
  double globalLoadRequests = 0, globalLoadSectors = 0, globalStoreRequests = 0, globalStoreSectors = 0;
  double sharedLoadWavefronts = 0, sharedLoadConflicts = 0, sharedStoreWavefronts = 0, sharedStoreConflicts = 0;
  // The wavefronts of shared memory that the copy engine and tensor cores cause. The machine code has only descriptors
  // for these accesses, so that they are counted in the program as written.
  double wavefrontsByThemselves = 0;
  // Whether the counts are taken for exact: all warps that were run did the same; or, without a run, every loop is
  // anchored or has the count of the program's loop on its line, and every memory instruction led to one access.
  bool exact = true;
  Message how;  // "modelled from 64 of 16384 warps"
  // The number of tests of mbarriers and other conditions that depend on time, over the grid. Each is counted as if it
  // succeeded at once; on a device, a warp that waits repeats the test. 0 if the code wasn't interpreted.
  double granted = 0;
  // If the code couldn't be interpreted: names an instruction that belongs to no access of the program, so that its
  // cost is missing. Nothing if there is no such instruction.
  std::optional<Error> problem;
};

// Returns the warp instructions over the grid by opcode, as ncu has them (sass__inst_executed_per_opcode): by the part
// before the first point, "HGMMA". The most frequent comes first; opcodes that no warp executes are left out.
std::vector<std::pair<std::string, double>> executedByOpcode(const sass::Kernel& sass, const CompiledCount& compiled);

// Counts what the machine code `sass` does. `count` has the counts of the program as written, whose accesses `kernel`
// lists. `source` is the text that was compiled; it says what a line stands for. `options` limits the time that
// counting takes.
CompiledCount countCompiled(const KernelAccesses& kernel, const KernelCount& count, const sass::Kernel& sass,
                            const codegen::Source& source, const CountOptions& options = {});

}  // namespace loom::model
