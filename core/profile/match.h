// Samples beside the machine code that they belong to: by instruction, by line of the CUDA text, by loop.
#pragma once
#include "core/profile/stall_profile.h"
#include "core/sass/kernel.h"

namespace loom::profile {

// Returns whether the profile was taken of exactly this machine code: each instruction's text agrees, but for how
// labels and the reuse cache are written. Error "OtherCode" names the first that differs. Where it holds, instruction n
// of the one is instruction n of the other; the profile may have some more that fill up the end of the code.
Result<void> matches(const StallProfile& profile, const sass::Kernel& sass);

// The samples at one line of the CUDA text.
struct LineStalls {
  int line = 0;  // of the CUDA text, from 1; 0: none, or a header's that nothing calls
  int instructions = 0;
  StallCount stalls;
};
// The samples in one loop of the machine code.
struct LoopStalls {
  int loop = -1;         // index into sass::Kernel::loops; −1: outside of all
  StallCount own, with;  // without and with the loops in it
};

// Sum the samples by line of the CUDA text, and so on, the one with the most samples first. They require `matches`.
std::vector<LineStalls> stallsByLine(const StallProfile& profile, const sass::Kernel& sass);
std::vector<LoopStalls> stallsByLoop(const StallProfile& profile, const sass::Kernel& sass);

}  // namespace loom::profile
