// How the occupancy of a kernel would change with its registers, its shared memory or its threads per block.
#pragma once
#include "core/model/occupancy.h"

namespace loom::model {

// A resource of a kernel that limits its occupancy, and the number of such resources (kWants).
enum class OccupancyResource : std::uint8_t { Registers, Shared, Threads };
inline constexpr int kWants = 3;

// The resident warps of a multiprocessor as a function of one resource, with the others as the kernel has them.
struct OccupancyCurve {
  OccupancyResource want = OccupancyResource::Registers;  // the resource that varies
  std::vector<std::int64_t> at;    // the resource's values, ascending: registers per thread, bytes or threads per block
  std::vector<int> warps;          // resident warps for each value; 0: such a block can't be launched
  std::int64_t now = 0;            // the kernel's own value, which `at` needn't have; 0 registers: not known
  int warpsNow = 0, maxWarps = 0;  // resident warps for that value, and the most that a multiprocessor can have
  // The value of `at` nearest to `now` that has more resident warps than `now`; of two equally near ones the lower. For
  // registers and shared memory it is below `now`; for threads it may lie on either side, but must divide the grid's
  // threads (`divides`). Nothing if no value has more resident warps, or if registers vary and the kernel's own number
  // isn't known.
  std::optional<std::int64_t> better;
  int warpsBetter = 0;           // resident warps for the value `better`; 0 without it
  std::int64_t gridThreads = 0;  // threads of the whole grid; 0: not known

  // Returns whether the grid's threads can be divided into blocks of `threads` threads; always true if the resource
  // isn't the threads of a block, or if `gridThreads` isn't known.
  bool divides(std::int64_t threads) const {
    return want != OccupancyResource::Threads || gridThreads <= 0 || gridThreads % threads == 0;
  }
};

// Returns the curve of one resource: registers from 1 to the most of a thread, shared memory from 0 to the most of a
// block in steps of 1 KiB, threads in whole warps. `resources` are the registers per thread, the shared memory and the
// threads of a block that the kernel has; 0 registers are not known and then limit nothing, so that all warps are upper
// bounds. `gridThreads` is the number of threads of the whole grid, 0 if it isn't known. Errors: "UnknownFigure" if a
// figure of the device isn't known; "InvalidArgument" for less than one thread or negative amounts.
Result<OccupancyCurve> occupancyCurve(const Device& device, const Resources& resources, OccupancyResource want,
                                      std::int64_t gridThreads = 0);

}  // namespace loom::model
