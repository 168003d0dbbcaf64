// Relates samples of warp stalls to the machine code that they were taken of, and sums them up by line of the CUDA text
// and by loop.
#pragma once
#include "core/profile/stall_profile.h"
#include "core/sass/kernel.h"

namespace loom::profile {

// Checks that the profile was taken of exactly this machine code: the kernel's name and the place and text of each
// instruction agree, apart from how labels and `.reuse` are written. Then instruction n of the profile is instruction n
// of `sass`; the profile may have more instructions at the end, if they are all NOP. Error "OtherCode" says what
// differs: the name, the first instruction that isn't alike, or the number of instructions.
Result<void> matches(const StallProfile& profile, const sass::Kernel& sass);

// The samples at one line of the CUDA text.
struct LineStalls {
  int line = 0;          // number of the line, from 1; 0: instructions that come from no line of the text
  int instructions = 0;  // number of the line's instructions
  StallCount stalls;
};
// The samples in one loop of the machine code.
struct LoopStalls {
  int loop = -1;         // index into sass::Kernel::loops; −1: the code outside of all loops
  StallCount own, with;  // samples without and with those of inner loops; for the code outside of loops both are equal
};

// Return the samples by line of the CUDA text and by loop of the machine code: an entry for each line that instructions
// come from, and for each loop and the code outside of loops, also those without samples. They are in descending order
// of samples (LineStalls::stalls, LoopStalls::with). The NOPs that only the profile has aren't counted. `matches` must
// hold for the arguments.
std::vector<LineStalls> stallsByLine(const StallProfile& profile, const sass::Kernel& sass);
std::vector<LoopStalls> stallsByLoop(const StallProfile& profile, const sass::Kernel& sass);

}  // namespace loom::profile
