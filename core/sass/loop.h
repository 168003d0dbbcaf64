// One iteration of a loop of the machine code, as the compiler has scheduled it for the warp that executes it.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The part of an iteration of a loop, without loops inside, that comes from one line of the CUDA text.
struct LoopShare {
  int line = 0;          // line of the CUDA text, from 1; 0: unknown
  int instructions = 0;  // number of instructions
  // Clocks in which they issue: the sum of their stall counts, each at least 1; 0 if the control bits aren't known.
  int clocks = 0;
  int waits = 0;  // number of instructions that wait for a scoreboard
};

// What one iteration of a loop executes.
struct LoopIteration {
  int instructions = 0;  // number of instructions of the loop itself, without those of loops inside
  // Clocks in which its instructions issue, if no scoreboard has to be waited for: the sum of their stall counts, each
  // at least 1. Nothing if the control bits aren't known, or if the loop has no instructions of its own.
  std::optional<int> clocks;
  int waits = 0;                 // instructions that also wait for a scoreboard; how long isn't in the code
  std::vector<LoopShare> lines;  // most clocks first, then most instructions
};

// Returns one iteration of the loop with index `loop` in Kernel::loops.
LoopIteration loopIteration(const Kernel& sass, int loop);

}  // namespace loom::sass
