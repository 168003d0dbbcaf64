// Blocks of a grid that touch the same global memory, however far apart they are.
#pragma once
#include <vector>

#include "core/exec/execute.h"

namespace loom::exec {

// Which blocks of the grid access the same global memory.
struct Footprint {
  // Blocks, x fastest, of which one writes what another writes or reads: a pair for each statement that does. Whether
  // that is a fault, a run of both tells.
  std::vector<std::int64_t> meeting;
  // False where not all accesses could be followed: their places depend on memory, or there are too many.
  bool complete = true;
};

// Runs what is left of a kernel when all but its accesses to the global memory that it writes is taken away: the
// places, the loops and conditions around them, over all blocks. `contents` by position of the parameter. As much as is
// likely to take `seconds`.
Footprint footprintOf(const device::Program& program, std::size_t kernel, const std::map<int, InputValues>& contents,
                      double seconds, std::stop_token stop = {});

}  // namespace loom::exec
