// Who touches an element, by name.
#pragma once
#include "core/model/ownership.h"

namespace loom::model {

// A thread by the numbers of its block and, in it, of itself; x fastest. Of a wmma tile: its warp's first.
struct AccessingThread {
  std::int64_t block = 0, thread = 0;
  friend auto operator<=>(const AccessingThread&, const AccessingThread&) = default;
};
struct Touchers {
  std::vector<AccessingThread> all;  // each once, however often it comes by; by block, then thread
  std::int64_t blocks = 0;           // different ones among them
  bool complete = true;              // false: there are more
};
// Everyone, also along the axes of grid and block on which the index doesn't depend; of a buffer in shared memory,
// which each block has of its own, the threads of `whose` block, and of one in registers its thread or warp. At most
// `atMost` are looked at. Errors: those of `separate` and `spanOf`.
Result<Touchers> touchersOf(const KernelAccesses& kernel, const Access& access, std::int64_t element,
                            const AccessingThread& whose, std::int64_t atMost = 1 << 16);

}  // namespace loom::model
