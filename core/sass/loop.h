// What one trip through a loop of the machine code asks of the warp that runs it, by the compiler's own schedule.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

struct LoopShare {
  int line = 0;  // of the CUDA text; 0: none, or a header's
  int instructions = 0;
  int clocks = 0;  // 0 where the control bits aren't known
  int waits = 0;   // instructions that wait for a barrier
};

struct LoopTrip {
  int instructions = 0;       // of the loop itself, not of loops within it
  std::optional<int> clocks;  // that its instructions keep the warp from issuing, when no barrier is waited for; absent
                              // where the control bits aren't known
  int waits = 0;              // instructions that wait for a barrier besides: how long isn't in the code
  std::vector<LoopShare> lines;  // most clocks first, then most instructions
};

// `loop`: index into Kernel::loops.
LoopTrip loopTrip(const Kernel& sass, int loop);

}  // namespace loom::sass
