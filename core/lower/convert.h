// The conversion of one kernel's loop nest from TensorIR, with compact buffers and no views, to statements of the
// device program.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"
#include "core/lower/flat_buffer.h"
#include "core/lower/lower.h"

namespace loom::lower {

// A kernel that was converted from its nest, with what belongs to the host program.
struct ConvertedKernel {
  device::Kernel kernel;
  GlobalBuffers flat;  // each of the kernel's parameters with the buffer of one dimension that `flatten` makes of it
  std::vector<device::HostPlan::Temporary> temporaries;  // global memory allocated inside the kernel's nest; flat
  std::vector<device::Remark> remarks;  // on what the schedule says and the kernel doesn't do, or does in another way
};

// Converts one kernel's nest. The result still accesses buffers by coordinates, and its loops still say how they are
// executed: vectorized, unrolled and so on (device::LoopUse). `globals` are the function's buffers in global memory,
// each with its flat buffer. `byElements` allows fragments to be filled and read element by element, which no GPU can
// do, for `draft` (lower.h). `symbols` are the function's: their ranges are assumed, and those that the kernel uses
// become Kernel::scalars. Error "NotAKernel" for what a kernel can't hold: more threads of a block or a larger grid
// than `limits` allows, a fragment that no tensor intrinsic writes first, thread loops of one axis with different or
// unknown extents, a warp's operation under a loop over its lanes, while loops, and calls that lowering doesn't know.
Result<ConvertedKernel> convert(const ir::Stmt& nest, const std::string& name, const GlobalBuffers& globals,
                                const Limits& limits, bool byElements = false,
                                const std::vector<ir::Symbol>& symbols = {});

// Sets Kernel::scalars to the symbols that the body uses, in the function's order. `convert` has done it; a pass after
// which the body may use other symbols (`flatten`) does it again.
void takeScalars(device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

}  // namespace loom::lower
