// Where machine code goes on after each instruction.
#pragma once
#include <functional>

#include "core/sass/kernel.h"

namespace loom::sass {

// Where control goes after one instruction, as indices into Kernel::instructions; −1: nowhere. An unconditional branch
// has only `target`, and an unconditional EXIT nothing.
struct Successors {
  int next = -1, target = -1;  // the instruction that follows (after a call: when it has returned); a branch's target
  int calls = -1;              // the first instruction of the function that a call calls
  bool returns = false;        // whether the instruction returns to the caller of the function
};

// Returns the successors of each instruction, by index in Kernel::instructions. Error "SassUnknown" if the
// target of a branch or a call is in a register, or outside of the text.
Result<std::vector<Successors>> successorsOf(const Kernel& sass);

// Visits each instruction that is reachable from instruction `from` once. Calls `goesOn` with its index, which returns
// whether to visit its successors `next`, `target` and `calls`, too. `flow` is as successorsOf returns it. If `from` is
// -1, visits nothing.
void follow(const std::vector<Successors>& flow, int from, const std::function<bool(int)>& goesOn);

}  // namespace loom::sass
