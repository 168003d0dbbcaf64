// How many thread blocks are resident on a multiprocessor at a time, and what limits them: CUDA's occupancy
// calculation.
#pragma once
#include "core/model/device.h"

namespace loom::model {

// The resources that a kernel needs.
struct Resources {
  int threads = 0;          // threads per block
  int registers = 0;        // registers per thread, as the assembler reports them; 0: not known
  std::int64_t shared = 0;  // bytes of shared memory per block, static and dynamic, without what the driver reserves
};

// What limits the number of resident blocks: the most threads or blocks of a multiprocessor, its registers, or its
// shared memory. TooLarge: not even one block fits. If several limit it alike, the first one in this order is named.
enum class Limiter : std::uint8_t { Threads, Blocks, Registers, Shared, TooLarge };
// Returns "threads", "blocks", "registers", "shared" or "too_large".
const char* nameOf(Limiter limiter);

// How many blocks of a kernel are resident on a multiprocessor, and what limits them.
struct Occupancy {
  int blocks = 0;               // resident on a multiprocessor; 0: such a block can't be launched
  int warps = 0, maxWarps = 0;  // resident on a multiprocessor, and the most that it can have
  // Blocks that each resource alone would allow; 0 if a block exceeds the most threads, registers or shared memory of a
  // block, or the most registers of a thread. `byRegisters` is negative if the registers aren't known, and then limits
  // nothing; `byShared` is INT_MAX if a block needs no shared memory.
  int byThreads = 0, byBlocks = 0, byRegisters = -1, byShared = 0;
  // The registers and the bytes of shared memory that are allocated for a block: rounded up to the device's units, and
  // with the bytes that the driver reserves. No registers if they aren't known.
  std::int64_t registersPerBlock = 0, sharedPerBlock = 0;
  Limiter limiter = Limiter::Threads;  // the resource that allows the fewest blocks; TooLarge if `blocks` is 0
  // Returns the occupancy: resident warps as a share of the most, 0 to 1.
  double fraction() const { return maxWarps ? double(warps) / maxWarps : 0; }
};

// Returns what cudaOccupancyMaxActiveBlocksPerMultiprocessor returns with the largest shared-memory carve-out. Errors:
// "UnknownFigure" if a figure of the device isn't known; "InvalidArgument" for less than one thread or negative
// amounts.
Result<Occupancy> occupancy(const Device& device, const Resources& resources);

}  // namespace loom::model
