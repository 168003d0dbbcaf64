// The worker: a process of its own that owns the GPU. `serve` is its main loop; `Worker` is the other side, which
// starts it, waits with a deadline, kills it and starts it again.
#pragma once
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/compile/toolkit.h"
#include "core/gpu/measure.h"
#include "core/gpu/probe.h"
#include "core/process/child.h"

namespace loom::gpu {

struct ServeOptions {
  std::string vendorLibrary;    // cuBLASLt's path, or ""
  compile::SearchPath toolkit;  // for compilations
  bool cpu = false;             // offers the CPU device and no GPU
};
// Answers requests from `input` on `output` (file descriptors) until the input ends: devices, measurements,
// compilations. Gives the process's exit status.
int serve(int input, int output, const ServeOptions& options);

struct WorkerOptions {
  std::string command;          // the command line, run by /bin/sh: a `worker` verb here or elsewhere (ssh, srun)
  double deadlineSeconds = 20;  // without any answer or progress while a kernel runs
  double startSeconds = 60;     // until the process greets
};

// One worker process. Not thread-safe: one job at a time.
class Worker {
 public:
  explicit Worker(WorkerOptions options);

  // Errors of all calls: those of process::Child ("WorkerLost", "Timeout", "Cancelled", "ProtocolError"), and what the
  // worker itself reports ("NoDriver", "NoDevice", …). The next call starts a new process.
  Result<std::vector<DeviceInfo>> devices(std::stop_token stop = {});
  // Measures the job's candidates: an outcome for each. A candidate that hangs or faults costs only itself: the rest is
  // measured by a new process. Where a process is lost and nobody knows by which candidate, the rest is measured once
  // more; what is lost twice is marked so. An error only where nothing came of the whole job.
  Result<Report> measure(int device, const Job& job, const Progress& progress = {}, std::stop_token stop = {});
  // Runs a probe's kernel. Errors also those of the driver.
  Result<ProbeAnswer> probe(int device, const ProbeKernel& kernel, const std::vector<char>& cubin,
                            std::stop_token stop = {});
  bool running() const { return child_.running(); }
  int process() const { return child_.process(); }  // its id; 0 when none runs

 private:
  WorkerOptions options_;
  process::Child child_;
};

}  // namespace loom::gpu
