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

/// The listing of SASS or PTX: without directives and debug sections, and with the line of the CUDA text that each line
/// comes from. Vectors "by line" are indexed from 0.
struct MachineText {
  std::vector<std::string> lines;
  std::vector<int> cudaLines;        ///< by line: from 1; 0: none, or a header's
  std::vector<std::string> inlined;  ///< by line: "mma.hpp:91", what the CUDA line calls; empty: its own
  std::vector<double> executions;    ///< by line: of warps, over the grid; −1: not known. Empty for PTX
  std::vector<int> instructionOf;    ///< by line: index into sass::Kernel::instructions; −1: a label. Empty for PTX
  int hotFirst = -1, hotLast = -1;   ///< lines of the hot loop, inclusive; −1: there is no loop
  int instructions = 0, hotInstructions = 0;
  IssueColumns margin;                           ///< of SASS
  std::optional<HotLoopIteration> hotIteration;  ///< there where SASS has a hot loop that is counted
};

/// Returns SASS as lines. With `compiled` the hot loop is the one that executes the most instructions; without it
/// (null) the innermost loop with the most arithmetic, as for PTX. `source` is the CUDA text.
MachineText sassText(const sass::Kernel& sass, const model::CompiledCount* compiled, const std::string& source = {});

/// Returns the listing of a model's machine code, kept with the model; null if the model has no machine code.
const MachineText* listingOf(const StateModel& model);

/// Returns the listing of PTX, kept with it.
const MachineText& listingOf(const PtxText& ptx);

/// Returns PTX as lines. `ptx` is as NVRTC gives it for "kernel.cu", with `.loc` marks and their `inlined_at`.
MachineText ptxText(const std::string& ptx);

/// Compares the instructions of two kernels. Which register, predicate or label an instruction names doesn't count,
/// since a compiler numbers all of them anew.
script::LineDiff diffMachine(const std::vector<std::string>& before, const std::vector<std::string>& after);

}  // namespace loom::session
