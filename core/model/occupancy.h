// How many blocks live on a multiprocessor at once, and what limits them: CUDA's occupancy calculation.
#pragma once
#include "core/model/device.h"

namespace loom::model {

// What a kernel asks for. `registers` as the assembler gave them, 0 when nobody knows; `shared` in bytes, static and
// dynamic, without the system's reserve.
struct Resources {
  int threads = 0;
  int registers = 0;
  std::int64_t shared = 0;
};

enum class Limiter : std::uint8_t { Threads, Blocks, Registers, Shared, TooLarge };
// "threads", "blocks", "registers", "shared", "too_large".
const char* nameOf(Limiter limiter);

struct Occupancy {
  int blocks = 0;  // per multiprocessor; 0: such a block can't be launched
  int warps = 0, maxWarps = 0;
  // Blocks that each resource alone would allow; registers' is negative when they aren't known.
  int byThreads = 0, byBlocks = 0, byRegisters = -1, byShared = 0;
  std::int64_t registersPerBlock = 0, sharedPerBlock = 0;  // as allocated: rounded up, reserve included
  Limiter limiter = Limiter::Threads;                      // the scarcest; of equals the first in the order above
  double fraction() const { return maxWarps ? double(warps) / maxWarps : 0; }
};

// Equal to cudaOccupancyMaxActiveBlocksPerMultiprocessor with the whole shared memory as carve-out. Errors:
// "UnknownFigure"; "InvalidArgument" for threads < 1 or negative resources.
Result<Occupancy> occupancy(const Device& device, const Resources& resources);

// Waves of a grid over all multiprocessors, and how full the last one is.
struct Waves {
  std::int64_t blocks = 0;         // of the grid
  std::int64_t slots = 0;          // blocks that live at once
  std::int64_t full = 0;           // waves that fill all slots
  std::int64_t last = 0;           // blocks of the last, partial wave; 0 when none is
  double efficiency = 0;           // blocks / (slots · number of waves)
  double busyMultiprocessors = 0;  // of the fullest wave, as a fraction
  std::int64_t count() const { return full + (last > 0); }
};
Result<Waves> waves(const Device& device, const Occupancy& occupancy, std::int64_t blocks);

}  // namespace loom::model
