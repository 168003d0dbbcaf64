// Finds blocks of a grid that access the same elements of global memory, however far apart the blocks are.
#pragma once
#include <vector>

#include "core/exec/execute.h"

namespace loom::exec {

// Which blocks of the grid access the same global memory.
struct Footprint {
  // Numbers of blocks, counted along x first, in ascending order and each once. For each statement with an access to an
  // element that one block writes and another one writes or reads, two such blocks are in the list. Only an execution
  // of both tells whether that is a fault.
  std::vector<std::int64_t> meeting;
  // Whether all accesses to buffers in global memory that the kernel writes have been found. False if the index of an
  // access, or a loop or condition around it, depends on memory that isn't an input of the kernel, if an operation
  // reads such a buffer by tiles, if there was no time for all blocks, or if the reduced kernel can't be executed. A
  // run that `stop` ended early doesn't make it false.
  bool complete = true;
};

// Returns which blocks of kernel number `kernel` of a program meet in global memory. Runs a reduced kernel, which only
// has the accesses to global memory that the kernel writes and the loops and conditions around them, for all blocks, or
// for as many, spread over the grid, as are likely to take `seconds` on one core. `contents` has the initial contents
// of the program's parameters, by their position among the parameters. `stop` ends the run early; no blocks are then
// found.
Footprint footprintOf(const device::Program& program, std::size_t kernel, const std::map<int, InputValues>& contents,
                      double seconds, std::stop_token stop = {});

}  // namespace loom::exec
