// Everything the model says of one kernel on one device. A pure function of the lowered kernel, the device's figures
// and, where there is one, the assembler's report. A draft (lower::draft) has no time and no advice.
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
  Result<Timeline> timeline;  // the error of the estimate where that has none
  bool registersKnown = false;
  std::optional<sass::Kernel> sass;  // where the kernel was compiled and disassembled
  std::optional<CompiledCount> compiled;
  std::optional<Error> machineProblem;  // why the machine code that there is isn't counted; then `sass` is empty, too
};

// What the compiler made of the program. Any member may be missing.
struct Machine {
  const compile::KernelResources* resources = nullptr;
  const sass::Kernel* sass = nullptr;
  const codegen::Source* source = nullptr;  // the text that was compiled; needed with sass
};

KernelModel modelOf(const device::Kernel& kernel, const Device& device, const Machine& machine = {},
                    const CountOptions& options = {});

}  // namespace loom::model
