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
  std::string kernel;
  KernelAccesses accesses;  // refers to the kernel, which must outlive this
  KernelCount count;
  Hierarchy hierarchy;
  Result<Occupancy> occupancy;
  Result<Waves> waves;
  Roofline roofline;
  Result<Estimate> estimate;
  Result<Timeline> timeline;  // the estimate's error if there is no estimate
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
// error if they can't be computed, for instance because a figure of the device isn't known.
// For a draft of a kernel (device::Kernel::draft), which is for analyses only and can't run, `estimate` and `timeline`
// have the error "NotAKernel".
KernelModel modelOf(const device::Kernel& kernel, const Device& device, const Machine& machine = {},
                    const CountOptions& options = {});

}  // namespace loom::model
