// One function on its way to a device program: what the passes of lowering share.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/lower/convert.h"

namespace loom::lower {

struct Lowering {
  enum class For : std::uint8_t {
    Kernels,  // that run
    Draft,    // `draft`
    Sizes,    // `allocatedBuffers`: memory that kernels can't share is left as it is declared
  };
  Lowering(ir::Function f, const Limits& l, For u);

  const ir::Function function;
  const Limits limits;
  const For use;
  const std::vector<ir::Symbol> symbols;  // of the function

  GlobalBuffers globals;  // parameters, and temporaries that several kernels use, with their flat buffers
  std::set<const ir::BufferNode*> ofSeveral;  // memory of more than one kernel: none of them allocates it
  std::vector<ir::Buffer> allocations;        // of the nest at hand, which no block inside it allocates
  device::Program program;                    // kernels that are done, and what is to be said of the schedule
  ConvertedKernel kernel;                     // the one at hand, from `convert` on
  std::string name;                           // its name
};

// What a program must be before its first pass: variables have loops that declare them, buffers have types and shapes
// that kernels can hold. Fills in `globals` with the parameters. Error "NotAKernel".
Result<void> takeProgram(Lowering& lowering);

// The top-level nests, of which each that binds threads is a kernel, and neighbours that bind none share one. Memory
// that several of them use becomes a temporary of the host; each gets the allocations that are its own alone. Error
// "NotAKernel" for shared or local memory of several kernels.
struct Nest {
  ir::Stmt body;
  std::vector<ir::Buffer> allocations;
};
Result<std::vector<Nest>> splitIntoKernels(Lowering& lowering, const ir::Stmt& whole);

// Whether a buffer's shape, strides or offset aren't all constant.
bool hasSymbolicPlaces(const ir::BufferNode& b);

// Error "NotAKernel" where a block's or a thread's memory exceeds the limits.
Result<void> checkMemory(const device::Kernel& kernel, const Limits& limits);

}  // namespace loom::lower
