// Liveness of general registers in machine code (SASS): which of them hold a value that is still needed, before each
// instruction.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The code that runs with the same number of registers per thread, set by the last setmaxnreg (USETMAXREG) on the way
// there, as specialized warps do.
struct RegisterAllotment {
  int registers = 0;  // registers per thread that setmaxnreg sets
  int peak = 0;       // the most registers that are live at an instruction of this code
  int peakAt = -1;    // index of the first instruction with so many; -1: none
};

// How many general registers are live at each instruction.
struct LiveRegisters {
  // For each instruction, by index in Kernel::instructions: the number of registers per thread that are live before the
  // instruction or written by it. Code that is never reached counts like other code. If the first instruction sets R1,
  // the stack pointer, R1 counts as live everywhere.
  std::vector<int> alive;
  int peak = 0;                               // the largest element of `alive`
  int peakAt = -1;                            // index of the first instruction with so many; -1 if `peak` is 0
  std::vector<RegisterAllotment> allotments;  // in the code's order; empty if no instruction is a setmaxnreg
};

// Returns the live registers of a kernel. Calls are followed into the called function: what the function reads,
// keeps and writes counts at the call. Error "SassUnknown" if a branch's target is in a register or outside of the
// text.
Result<LiveRegisters> liveRegisters(const Kernel& sass);

}  // namespace loom::sass
