// All that a device can be asked by the probes' kernels.
#pragma once
#include <functional>

#include "core/compile/compiler_processes.h"
#include "core/gpu/worker.h"
#include "core/model/probed.h"

namespace loom::gpu {

// One result of a probe, reported as soon as it is there.
struct Shown {
  const CeilingProbe* ceiling = nullptr;  // of it, the rates of the launches in the figure's unit
  double median = 0, least = 0, most = 0;
  int launches = 0;
  const FragmentProbe* fragment = nullptr;  // or of this, how it lies in the lanes
  Result<layout::Layout> layout = fail("UnknownFragment", Message());
  int done = 0, of = 0;  // probes
};

// Measures the ceilings and reads the fragments' layouts: some 25 kernels, a few seconds. `program` and `date` say who
// and when. Errors: those of the compiler, the worker and the driver; "Cancelled".
struct Probing {
  Worker* worker = nullptr;
  compile::CompilerProcesses* compilers = nullptr;
  DeviceInfo device;
  std::string program, date, compiler;
};
Result<model::ProbeResults> probeDevice(const Probing& with, const std::function<void(const Shown&)>& shown,
                                        std::stop_token stop = {});

}  // namespace loom::gpu
