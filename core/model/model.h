// Everything that the cost model says of one kernel on one device. It is a function of the lowered kernel, the device's
// figures and, if it is known, what the compiler made of the kernel; nothing is measured.
#pragma once
#include "core/compile/compile.h"
#include "core/model/active_clusters.h"

#include "core/model/estimate.h"
#include "core/model/hierarchy.h"
#include "core/model/occupancy.h"
#include "core/model/roofline.h"
#include "core/model/timeline.h"

namespace loom::model {

// Everything that the cost model says of a kernel.
struct KernelModel {
  std::string kernel;           // its name
  KernelAccesses accesses;      // its loops, accesses, arithmetic and barriers; refers to the kernel
  KernelCount count;            // sectors, wavefronts and FLOP over the grid, as written
  Hierarchy hierarchy;          // its buffers, and the traffic between memories, as written
  Result<Occupancy> occupancy;  // resident blocks and warps of a multiprocessor
  Result<Waves> waves;          // groups of blocks that are resident on the device at a time
  Roofline roofline;            // its arithmetic intensity, and the peaks and bandwidths that limit it
  Result<Estimate> estimate;    // its predicted time
  Result<Timeline> timeline;    // how a block spends the predicted time; the estimate's error if there is no estimate
  // Whether the number of registers per thread is known; if not, `occupancy` is computed as if they didn't limit it.
  bool registersKnown = false;
  std::optional<sass::Kernel> sass;       // the machine code; nothing if it isn't known or can't be counted
  std::optional<CompiledCount> compiled;  // what was counted of the machine code; nothing without `sass`
  std::optional<Error> machineProblem;    // why the given machine code can't be counted; else nothing
};

// What the compiler made of the kernel. Members that aren't known are null.
struct Machine {
  const compile::KernelResources* resources = nullptr;
  const sass::Kernel* sass = nullptr;
  const codegen::Source* source = nullptr;  // the CUDA text that was compiled; never null if `sass` isn't
};

// Returns what the cost model says of the kernel, which must outlive the result. Members of the type Result have an
// error if they can't be computed, for instance because a figure of the device isn't known. `options` limits the
// time that counting takes. For a draft of a kernel (device::Kernel::draft), which is for analyses only and can't run,
// `estimate` and `timeline` have the error "NotAKernel".
KernelModel modelOf(const device::Kernel& kernel, const Device& device, const Machine& machine = {},
                    const CountOptions& options = {});

// Returns the `estimate` of modelOf(kernel, device, {}, options), in less time: without what only views show.
// `accesses` are those of the kernel.
Result<Estimate> estimateOf(const KernelAccesses& accesses, const Device& device, const CountOptions& options = {});

}  // namespace loom::model
