#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/stalls.h"
#include "core/profile/match.h"

namespace loom::document {

/// The samples of warp stalls of a kernel (a profile: how often a profiler found warps waiting at each instruction, and
/// for what), by line of the CUDA text, by schedule step and by loop. A state is the program after some steps.

/// A line of the CUDA text with what warps waited for at its instructions.
struct StalledLine {
  profile::LineStalls stalls;
  std::string text;  ///< the line without its indentation; empty: the samples belong to no line
  Message madeBy;    ///< the step that made the line, "cache_read, step 14"; empty: it is of the unscheduled program
};

/// The sum of the samples at all lines that one step made.
struct StalledStep {
  Message madeBy;  ///< the step, "cache_read, step 14"; empty: the lines of the unscheduled program
  profile::StallCount stalls;
};

/// A loop of the machine code, or the code outside of all loops. A loop is described by the CUDA line of the branch at
/// its end.
struct StalledLoop {
  profile::LoopStalls stalls;
  int line = 0;      ///< number of that CUDA line, from 1; 0: there is none
  int depth = 0;     ///< number of loops around the loop
  std::string text;  ///< that CUDA line without its indentation; empty: there is none
  Message madeBy;    ///< the step that made the line, "split, step 3"; empty: it is of the unscheduled program
};

/// A kernel's samples beside its machine code and its CUDA text.
struct StallView {
  profile::StallCount total;                      ///< all samples of the kernel
  std::vector<StalledLine> lines;                 ///< lines with samples, the one with the most first
  std::vector<StalledStep> steps;                 ///< steps with samples, the one with the most first
  std::vector<StalledLoop> loops;                 ///< loops with samples, the one with the most first
  std::vector<profile::StallCount> instructions;  ///< one entry for each of sass::Kernel::instructions
};

/// The stall samples of a state.
struct StallResult {
  StateStalls file;               ///< the file that has a profile of this kernel; null: there is none
  std::optional<StallView> view;  ///< the samples of the kernel that the state's model describes; nothing: no samples
  std::optional<Error> problem;   ///< why `view` is missing, such as samples of other code; nothing: no known reason
};

/// Returns the samples of a profile by line of the CUDA text, by step and by loop. `source` is the CUDA text that the
/// SASS was compiled from. Error "OtherCode": the profile belongs to other machine code.
Result<StallView> stallView(const profile::StallProfile& profile, const sass::Kernel& sass, const std::string& source);
/// Returns the samples that `file`, a shared pointer to the profile of one state, which may be null, has for the kernel
/// with the name and the machine code of `sass`; an empty result if it has no kernel of this name. `source` is the CUDA
/// text that the machine code was compiled from.
StallResult knownStalls(StateStalls file, const sass::Kernel& sass, const std::string& source);

}  // namespace loom::document
