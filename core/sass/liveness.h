// Which general registers hold a value that is still needed, instruction by instruction, by the control flow of the
// machine code.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The number of registers that a role may use: code that is reached with so many registers a thread, because that is
// what the last setmaxnreg (USETMAXREG) on the way there set.
struct RegisterAllotment {
  int registers = 0;  // the number that it asks for, or keeps
  int peak = 0;       // alive, at most
  int peakAt = -1;    // the first instruction with it
};

// How many general registers are live at each instruction.
struct LiveRegisters {
  // By Kernel::instructions: registers alive before it or written by it, so those that it needs to exist. Code that
  // is never reached has those that it writes.
  std::vector<int> alive;
  int peak = 0;
  int peakAt = -1;                            // the first instruction with it; −1: no instruction
  std::vector<RegisterAllotment> allotments;  // in the code's order; empty where no instruction changes the number
};

// Returns the live registers of a kernel. A call is followed into its function: what that reads, keeps and writes
// counts where it is called. Error "SassUnknown": a branch whose target isn't in the text.
Result<LiveRegisters> liveRegisters(const Kernel& sass);

}  // namespace loom::sass
