// Data-flow analysis of the six scoreboards that a warp has for instructions of variable latency. The control bits of
// instructions (control.h) call the scoreboards barriers; they have nothing to do with __syncthreads(). The analysis
// finds which scoreboards may be pending before an instruction, and for which instructions a wait waits.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The scoreboards of a warp before an instruction and before that instruction's own wait.
struct BarrierState {
  std::uint8_t pending = 0;   // bit n: along some path to this instruction scoreboard n was set and not waited for
  std::vector<int> waitsFor;  // the instructions that may have set what this one waits for: indices, ascending; empty
                              // if it doesn't wait
};

// Returns the state of the scoreboards before each instruction, by index into Kernel::instructions. Errors:
// "SassUnknown" if a branch's target is in a register or outside of the text; "NoControl" if the instructions' control
// bits aren't known.
Result<std::vector<BarrierState>> barrierStates(const Kernel& sass);

}  // namespace loom::sass
