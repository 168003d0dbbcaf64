// Where machine code goes on after each instruction.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// Where a kernel goes on after one instruction: indices into Kernel::instructions; −1: nowhere.
struct Successors {
  int next = -1, target = -1;
  int calls = -1;        // the function's first instruction
  bool returns = false;  // to what called
};

// Error "SassUnknown": a branch leads where only a register says, or out of the text.
Result<std::vector<Successors>> successorsOf(const Kernel& sass);

}  // namespace loom::sass
