// The passes of lowering in the order in which `lower` runs them. pass_table.cpp has the table; the functions that it
// calls are declared in passes.h (TensorIR) and device_passes.h (kernels), or in a header of their own.
// `tileloom export … --as passes` prints the program after each.
#pragma once
#include <span>

#include "core/lower/lowering.h"

namespace loom::lower {

// A pass of lowering, a row of the table.
struct Pass {
  // What a pass works on. Program: the body of the function, a statement of TensorIR. Nest: the part of the body that
  // becomes one kernel. Kernel: the device kernel Lowering::kernel, which the first of these passes, `convert`, makes
  // of a nest.
  enum class Over : std::uint8_t { Program, Nest, Kernel };
  std::string_view name;
  Over over = Over::Program;
  std::string_view expects, leaves;  // what must be true before the pass, and is true after it, in words
  unsigned form = 0;  // further bits of device::form that hold from this pass on; device::verify checks them
  // Runs the pass. `statement` is the program or the nest, which it may replace; passes over kernels ignore it. Error
  // "NotAKernel" if the program can't be a kernel.
  Result<void> (*run)(Lowering& lowering, ir::Stmt& statement) = nullptr;
  // The keys of the annotations of blocks, and of loops, that the pass follows or refuses. An annotation whose key no
  // pass has here has no effect, and `remarksOnAnnotations` makes a remark on it.
  std::span<const std::string_view> ofBlocks{}, ofLoops{};
  // Whether the pass, one over nests, gives another result for a draft than for kernels that can run. (A draft is the
  // device program of a function that can't be a kernel, because it accesses tensor-core fragments element by element;
  // models and views use it.) Such passes stand after the other passes over nests, so that drafts and kernels have the
  // results of all passes before in common.
  bool partsDrafts = false;
};

// Returns all passes in their order, a static table.
std::span<const Pass> passes();

}  // namespace loom::lower
