// Local memory of threads: registers that were spilled, and arrays that didn't fit in registers. L1 keeps it as far as
// there is room; the rest travels between L1 and L2, and beyond L2 if that has no room for it either.
#pragma once
#include "core/model/compiled.h"

namespace loom::model {

// What a kernel does with local memory.
struct LocalTraffic {
  double bytesOfThread = 0;       // bytes of local memory that a thread addresses by constant offsets
  double loaded = 0, stored = 0;  // 32-byte sectors that the grid loads and stores, whether or not L1 keeps them
};

// Returns what the machine code does with local memory, all zero if it uses none. `compiled` has the counts of `sass`.
LocalTraffic localTrafficOf(const sass::Kernel& sass, const CompiledCount& compiled);

// Of data that is accessed in turns: returns the share (0 to 1) that a cache of `capacity` bytes doesn't keep of
// `bytes` bytes. 0 without data; 1 if there is no room at all.
double shareBeyond(double bytes, double capacity);

}  // namespace loom::model
