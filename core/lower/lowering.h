// The state of one run of lowering (from a scheduled function to a device program), which the passes share.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "core/lower/convert.h"

namespace loom::lower {

// The state of one run of lowering.
struct Lowering {
  // The result that the run is for, by the function of lower.h that asks for it.
  enum class For : std::uint8_t {
    Kernels,  // `lower`: kernels that can run
    Draft,    // `draft`: kernels whose warps may access tensor-core fragments element by element, which can't run
    Sizes,    // `allocatedBuffers`: shared or local memory that several kernels use is no error, but in no nest
  };
  // Begins a run for function `f` with the limits `l`.
  Lowering(ir::Function f, const Limits& l, For u);

  const ir::Function function;
  const Limits limits;
  For use;
  // Whether blocks keep the regions that they read and write after `bind_iterators`, for whoever looks at the program
  // between passes: those need only know which buffers a block writes, and would rewrite and simplify them for nothing.
  bool keepsRegions = false;
  const std::vector<ir::Symbol> symbols;  // the function's symbols (sizes and scalars without a fixed value)

  GlobalBuffers globals;  // parameters and temporaries that several kernels use, each with its flat buffer
  std::set<const ir::BufferNode*>
      ofSeveral;                        // buffers that more than one kernel uses, so that no kernel allocates them
  std::vector<ir::Buffer> allocations;  // Nest::allocations of the current nest, which `lower` copies here
  device::Program program;              // the kernels that are finished, and remarks on the schedule
  ConvertedKernel kernel;               // the current kernel, from the pass `convert` on
  std::string name;                     // name of the current kernel
  // Whether threads share sums (the pass `cross_thread_reduction`). How they share them depends on the launch, which a
  // draft may have otherwise, so a draft then can't go on from the passes that were run for kernels.
  bool sharesSums = false;
};

// Checks what a function must be before the first pass: each variable is declared, and each buffer and scalar
// parameter has a type, and each parameter in memory a shape, strides and an offset, that a kernel can hold. Fills in
// `globals` with the parameters. Error "NotAKernel" if one of these doesn't hold.
Result<void> takeProgram(Lowering& lowering);

// The part of a function that becomes one kernel.
struct Nest {
  ir::Stmt body;
  std::vector<ir::Buffer> allocations;  // buffers that only this nest uses
};
// Divides `whole`, the function's body after the passes over programs, into nests: each top-level loop nest that binds
// threads is a kernel of its own, and neighbouring ones that bind none share a kernel. A global buffer that several
// nests use becomes a temporary that the host allocates: the function adds it to `globals`, `ofSeveral` and the
// temporaries of `program`. To be called after `takeProgram`. Error "NotAKernel" if shared or local memory is used by
// several nests (except For::Sizes), or if the size of such a global buffer isn't known.
Result<std::vector<Nest>> splitIntoKernels(Lowering& lowering, const ir::Stmt& whole);

// Returns whether an extent, a stride or the offset of a buffer isn't a constant, because it depends on symbols.
bool hasSymbolicPlaces(const ir::BufferNode& b);

// Checks the shared memory of a block and the local memory of a thread, in bytes, against the limits. The kernel's
// shared memory must have its offsets (planSharedMemory). Error "NotAKernel" if they exceed them.
Result<void> checkMemory(const device::Kernel& kernel, const Limits& limits);

}  // namespace loom::lower
