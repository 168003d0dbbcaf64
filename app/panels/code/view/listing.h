#pragma once

#include <string>
#include <vector>

#include "app/panels/code/view/issue_columns.h"
#include "app/session/program.h"
#include "app/session/state_model.h"
#include "core/model/compiled.h"
#include "core/sass/kernel.h"
#include "core/script/line_diff.h"

namespace loom::session {

/// The listing of a kernel's SASS or PTX, without debug information, with the line of the CUDA text that each line was
/// compiled from. Vectors "by line" are indexed from 0.
struct MachineText {
  std::vector<std::string> lines;
  std::vector<int> cudaLines;        ///< by line: number of the CUDA line, from 1; 0: not an instruction, or not known
  std::vector<std::string> inlined;  ///< by line: file and line of the inlined function ("mma.hpp:91") that the CUDA
                                     ///< line calls; empty: the instruction is not from an inlined function
  std::vector<double> executions;  ///< by line: how often warps execute it, over the grid; −1: not known. No entries
                                   ///< for PTX
  std::vector<int> instructionOf;  ///< by line: index into sass::Kernel::instructions; −1: a label. No entries for PTX
  int hotFirst = -1, hotLast = -1;               ///< lines of the hot loop, inclusive; −1: there is no loop
  int instructions = 0, hotInstructions = 0;     ///< number of instructions: of the kernel, and of the hot loop
  IssueColumns margin;                           ///< further columns for SASS; without entries for PTX
  std::optional<HotLoopIteration> hotIteration;  ///< one iteration of the hot loop; only of SASS with `compiled` counts
};

/// Makes the listing of SASS. `compiled` has how often each instruction is executed, and the hot loop: the one that
/// executes the most instructions. If it is null, `executions` are −1, and the hot loop is the innermost loop with the
/// most arithmetic instructions (the longest of several), as for PTX. `source` is the CUDA text, whose comments say
/// which schedule steps made the lines of `hotIteration`; if it is empty, none are named.
MachineText sassText(const sass::Kernel& sass, const model::CompiledCount* compiled, const std::string& source = {});

/// Returns the listing of the SASS of the kernel that `model`, the performance model of a program, is of; null if the
/// model has no machine code. The listing is made in the first call and kept with the model.
const MachineText* listingOf(const StateModel& model);

/// Returns the listing of `ptx`. It is made in the first call and kept with `ptx`.
const MachineText& listingOf(const PtxText& ptx);

/// Makes the listing of PTX. `ptx` is the output of NVRTC for a file "kernel.cu", with `.loc` directives that may have
/// `inlined_at`.
MachineText ptxText(const std::string& ptx);

/// Returns which lines of `after` were added or changed and which of `before` are gone, for the listings of two
/// kernels. Instructions that differ only in the numbers of registers, predicates or labels count as equal, since the
/// compiler numbers these anew for each kernel.
script::LineDiff diffMachine(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace loom::session
