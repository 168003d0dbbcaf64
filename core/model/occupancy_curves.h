// Occupancy what-if: how many warps would be resident if one of a block's wants were another.
#pragma once
#include "core/model/occupancy.h"

namespace loom::model {

enum class OccupancyResource : std::uint8_t { Registers, Shared, Threads };
inline constexpr int kWants = 3;

// Resident warps of a multiprocessor over all values that a block may ask for, the other wants as they are.
struct OccupancyCurve {
  OccupancyResource want = OccupancyResource::Registers;
  std::vector<std::int64_t> at;  // registers of a thread, bytes of a block, threads of a block; ascending
  std::vector<int> warps;        // 0: such a block can't be launched
  std::int64_t now = 0;          // the kernel's own; 0 registers: not known
  int warpsNow = 0, maxWarps = 0;
  // The nearest value with more resident warps that the kernel can have (see divides): below `now`, for threads on
  // either side. None when it has the most.
  std::optional<std::int64_t> better;
  int warpsBetter = 0;
  std::int64_t gridThreads = 0;  // of the whole grid; 0: not known

  // Whether the grid's threads can be cut into blocks of so many. Of other wants: always.
  bool divides(std::int64_t threads) const {
    return want != OccupancyResource::Threads || gridThreads <= 0 || gridThreads % threads == 0;
  }
};

// Registers 1 … the most of a thread, shared memory in steps of 1 KiB, threads in whole warps. `gridThreads`: of the
// whole grid, 0 where it isn't known. Errors as `occupancy`.
Result<OccupancyCurve> occupancyCurve(const Device& device, const Resources& resources, OccupancyResource want,
                                      std::int64_t gridThreads = 0);

}  // namespace loom::model
