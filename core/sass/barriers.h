// The six barriers of a warp along the machine code: which one an instruction may still have outstanding before it, and
// what it is that a wait waits for.
#pragma once
#include "core/sass/kernel.h"

namespace loom::sass {

struct BarrierState {
  std::uint8_t pending = 0;   // bit n: on some way here barrier n was set and not waited for
  std::vector<int> waitsFor;  // of an instruction that waits: those that set its barriers, by index, ascending
};

// By SassKernel::instructions. Errors: "SassUnknown" as successorsOf; "NoControl" where the instructions' control bits
// aren't known.
Result<std::vector<BarrierState>> barrierStates(const SassKernel& sass);

}  // namespace loom::sass
