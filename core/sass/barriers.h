// Data flow of the six scoreboards that a warp has for instructions of variable latency; their control bits call them
// barriers (control.h), which are not those of __syncthreads(). The analysis says which scoreboards may be pending
// before an instruction, and for which instructions a wait waits.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

// The scoreboards of a warp before an instruction.
struct BarrierState {
  std::uint8_t pending = 0;   // bit n: along some path to this instruction scoreboard n was set and not waited for
  std::vector<int> waitsFor;  // the instructions that may have set what this one waits for: indices, ascending; empty
                              // if it doesn't wait
};

// Returns the state of the scoreboards before each instruction, by index into Kernel::instructions. Errors:
// "SassUnknown" as successorsOf; "NoControl" if the instructions' control bits aren't known.
Result<std::vector<BarrierState>> barrierStates(const Kernel& sass);

}  // namespace loom::sass
