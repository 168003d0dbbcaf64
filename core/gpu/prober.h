// Runs all probe kernels (probe.h) on a device: measures its ceilings, which are peaks of arithmetic and bandwidths,
// and finds which lane holds which element of its wmma fragments.
#pragma once
#include <functional>

#include "core/compile/compiler_processes.h"
#include "core/gpu/worker.h"
#include "core/model/probed.h"

namespace loom::gpu {

// The result of one probe, reported as soon as it is there. Either `ceiling` or `fragment` is the probe; the other is
// null. The pointer is valid until `probeDevice` returns.
struct Shown {
  const CeilingProbe* ceiling = nullptr;
  double median = 0, least = 0, most = 0;  // with `ceiling`: the rates of its launches, in the unit of its figure
  int launches = 0;                        // with `ceiling`: the number of timed launches
  const FragmentProbe* fragment = nullptr;
  // With `fragment`: which lane holds which element, or why this couldn't be told from the kernel's answer, which
  // doesn't end the probing.
  Result<layout::Layout> layout = fail("UnknownFragment", Message());
  int done = 0, of = 0;  // the number of probes that are done, this one included, and of all probes
};

// What probing needs: a worker process with the device, processes that compile, and the texts that the results are
// stored with, which are the names of this program and of the compiler and the day of the probing.
struct Probing {
  Worker* worker = nullptr;                         // must be set
  compile::CompilerProcesses* compilers = nullptr;  // must be set
  DeviceInfo device;                                // one of worker->devices()
  std::string program, date, compiler;
};
// Measures the ceilings of the device and reads its fragments' layouts: some 25 kernels, which take a few seconds.
// Calls `shown`, which may be empty, on the calling thread after each probe. Errors: those of the compiler, the worker
// and the driver; "Cancelled" if `stop` is requested. The first error ends the probing, and what was measured before it
// isn't returned.
Result<model::ProbeResults> probeDevice(const Probing& with, const std::function<void(const Shown&)>& shown,
                                        std::stop_token stop = {});

}  // namespace loom::gpu
