// From one kernel's TensorIR, with compact buffers and no views, to device statements.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"
#include "core/ir/symbols.h"
#include "core/lower/flat_buffer.h"
#include "core/lower/lower.h"

namespace loom::lower {

struct ConvertedKernel {
  device::Kernel kernel;
  GlobalBuffers flat;  // by each of the kernel's parameters: what `flatten` makes of it
  std::vector<device::HostPlan::Temporary> temporaries;  // global memory allocated inside the kernel's nest; flat
  std::vector<device::Remark> remarks;
};

// Accesses are by coordinates, loops still have their uses. Error "NotAKernel" for what a kernel cannot hold: a
// fragment that no tensor intrinsic fills, thread loops of one axis with different or unknown extents, a warp's
// operation under a loop over its lanes, while loops, calls lowering does not know. `byElements`: fragments may be
// filled and read element by element, as `draft` has it. `symbols` are the function's.
Result<ConvertedKernel> convert(const ir::Stmt& nest, const std::string& name, const GlobalBuffers& globals,
                                const Limits& limits, bool byElements = false,
                                const std::vector<ir::Symbol>& symbols = {});

// Kernel::scalars becomes the symbols that the body uses, in the function's order.
void takeScalars(device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

}  // namespace loom::lower
