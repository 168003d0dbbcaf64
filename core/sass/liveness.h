// Liveness of general registers in machine code (SASS): which of them hold a value that is still needed, at each
// instruction.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The code that one setmaxnreg instruction (USETMAXREG), as specialized warps execute it, sets the registers of: what
// is reached from it before the next setmaxnreg. Code that is reached from several counts for each of them.
struct RegisterAllotment {
  int registers = 0;  // registers per thread that setmaxnreg sets
  int peak = 0;       // the most registers that are live at an instruction of this code
  int peakAt = -1;    // index of the first instruction with so many; -1 if `peak` is 0
};

// How many general registers are live at each instruction.
struct LiveRegisters {
  // For each instruction, by index in Kernel::instructions: the number of registers per thread that are live before the
  // instruction or written by it. Code that is never reached counts like other code. If the first instruction sets R1,
  // the stack pointer, R1 counts as live everywhere.
  std::vector<int> alive;
  int peak = 0;                               // the largest element of `alive`
  int peakAt = -1;                            // index of the first instruction with so many; -1 if `peak` is 0
  std::vector<RegisterAllotment> allotments;  // one for each setmaxnreg instruction, in the code's order
};

// Returns the live registers of a kernel. At a call, what the called function reads and writes counts as well; at the
// function's instructions, what is still needed after its calls. Error "SassUnknown" if the target of a branch or call
// (not of a return) is in a register or outside of the text.
Result<LiveRegisters> liveRegisters(const Kernel& sass);

}  // namespace loom::sass
