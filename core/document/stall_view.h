#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/document/stalls.h"
#include "core/profile/match.h"

namespace loom::document {

/// A line of the CUDA text with what warps waited for at its instructions.
struct StalledLine {
  profile::LineStalls stalls;
  std::string text;  ///< without its indentation; empty: no line
  Message madeBy;    ///< "cache_read, step 14"; empty: the program's own
};

/// The lines that one step made.
struct StalledStep {
  Message madeBy;  ///< as of StalledLine
  profile::StallCount stalls;
};

/// A loop of the machine code, told by the CUDA line that closes it.
struct StalledLoop {
  profile::LoopStalls stalls;
  int line = 0;  ///< of the loop; 0: none
  int depth = 0;
  std::string text;
  Message madeBy;  ///< as of StalledLine
};

/// A kernel's samples beside its machine code and its CUDA text.
struct StallView {
  profile::StallCount total;
  std::vector<StalledLine> lines;                 ///< those with samples, most first
  std::vector<StalledStep> steps;                 ///< the same
  std::vector<StalledLoop> loops;                 ///< the same
  std::vector<profile::StallCount> instructions;  ///< by sass::Kernel::instructions
};

/// The stall samples of a state.
struct StallResult {
  StateStalls file;               ///< null: the state was never sampled
  std::optional<StallView> view;  ///< of the kernel that the state's model describes
  std::optional<Error> problem;   ///< why there is no view of the file; or why the last sampling failed
};

/// Returns the samples of a profile by line of the CUDA text, by step and by loop. `source` is the CUDA text that the
/// SASS was compiled from. Error "OtherCode": the profile belongs to other machine code.
Result<StallView> stallView(const profile::StallProfile& profile, const sass::Kernel& sass, const std::string& source);
/// Returns the samples that a file, which may be null, has for the kernel of that machine code.
StallResult knownStalls(StateStalls file, const sass::Kernel& sass, const std::string& source);

}  // namespace loom::document
