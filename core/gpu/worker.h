// The worker: a process that owns the GPU, so that a kernel which hangs or faults costs one result and not the program.
// `serve` is the main loop of that process. `Worker` is its counterpart in the program: it starts the process, waits
// for answers with a deadline, and kills and restarts it when needed.
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

// The options of a worker process.
struct ServeOptions {
  std::string vendorLibrary;    // path of cuBLASLt; empty: the dynamic loader searches for it
  compile::SearchPath toolkit;  // where compilations look for the CUDA tools
  bool cpu = false;             // offers the CPU device (cpu_device.h) instead of GPUs
};
// Reads requests from the file descriptor `input` and writes answers to `output` until the input ends: for devices,
// measurements, probes and compilations (protocol.h). Returns the exit status of the process: 0, or 2 after bytes that
// were no message of the protocol. Defined in serve.cpp; `tileloom worker`, the command that starts the process, calls
// it.
int serve(int input, int output, const ServeOptions& options);

// How a worker process is started, and for how long it is waited for.
struct WorkerOptions {
  std::string command;  // command line for /bin/sh that runs `tileloom worker`, here or on another machine (ssh, srun)
  double deadlineSeconds = 20;  // how long a kernel may run without an answer or progress before the process is killed
  double startSeconds = 60;     // how long the process may take to start
};

// The program's side of one worker process. The first call that needs the process starts it, the destructor ends it.
// Not thread-safe: it does one thing at a time, and calls `progress` on the caller's thread.
class Worker {
 public:
  explicit Worker(WorkerOptions options);

  // Returns the devices that the worker can use. Errors of this and all other calls: those of process::Child
  // ("WorkerLost", "Timeout", "Cancelled", "ProtocolError"), after which the next call starts a new process, and those
  // that the worker reports ("NoDriver", "NoDevice", …). `stop` ends a call early.
  Result<std::vector<DeviceInfo>> devices(std::stop_token stop = {});
  // Measures a job, candidate kernels and what to compare them with (measure.h), on the device with the ordinal
  // `device`, and returns an outcome for each candidate. If a candidate hangs or faults, a new process measures the
  // candidates that are left. If a process is lost and it isn't known at which candidate, the candidates that are left
  // are measured once more; those that are lost twice have the status Lost, or Deadline if the process gave no answer
  // in time. An error is returned only if no candidate has an outcome. A job without candidates gives an empty report.
  Result<Report> measure(int device, const Job& job, const Progress& progress = {}, std::stop_token stop = {});
  // Runs the kernel of a probe (probe.h), compiled to `cubin`, on the device with the ordinal `device`. Further errors:
  // those of Driver (driver.h), which the worker reports.
  Result<ProbeAnswer> probe(int device, const ProbeKernel& kernel, const std::vector<char>& cubin,
                            std::stop_token stop = {});
  // Returns whether a process runs, and its id (0 if none does).
  bool running() const { return child_.running(); }
  int process() const { return child_.process(); }

 private:
  WorkerOptions options_;
  process::Child child_;
};

}  // namespace loom::gpu
