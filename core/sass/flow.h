// Where machine code goes on after each instruction.
#pragma once
#include <functional>

#include "core/sass/kernel.h"

namespace loom::sass {

// Where control goes after one instruction: indices into Kernel::instructions; −1: nowhere.
struct Successors {
  int next = -1, target = -1;
  int calls = -1;        // the function's first instruction
  bool returns = false;  // to what called
};

// Returns the successors of each instruction. Error "SassUnknown" if a branch's target is in a register, or outside of
// the text.
Result<std::vector<Successors>> successorsOf(const Kernel& sass);

// Goes through the code on all ways from an instruction on, to each instruction once. `goesOn` says of one whether
// those that come after it are looked at, too. `from` -1: nowhere.
void follow(const std::vector<Successors>& flow, int from, const std::function<bool(int)>& goesOn);

}  // namespace loom::sass
