// The worker: a process of its own that owns the GPU. `serve` is its main loop; `Worker` is the other side, which
// starts it, waits with a deadline, kills it and starts it again.
#pragma once
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/gpu/measure.h"

namespace loom::gpu {

// Answers requests from `input` on `output` (file descriptors) until the input ends. Gives the process's exit status.
int serve(int input, int output, const std::string& vendorLibrary);

struct WorkerOptions {
  // The command line, run by /bin/sh: this program's own `worker` verb, or one that starts it elsewhere (ssh, srun).
  std::string command;
  double deadlineSeconds = 20;  // without any answer or progress while a kernel runs
  double startSeconds = 60;     // until the process greets
};

// One worker process. Not thread-safe: one job at a time; `cancel` may come from any thread.
class Worker {
 public:
  explicit Worker(WorkerOptions options);
  ~Worker();

  // Errors of all calls: "WorkerLost" (it ended), "Timeout" (no answer in time; the process is killed), "Cancelled",
  // "ProtocolError", and what the worker itself reports ("NoDriver", "NoDevice", …). The next call starts a new
  // process.
  Result<std::vector<DeviceInfo>> devices();
  // Measures the job's candidates. A candidate that hangs or faults costs only itself: the rest is measured by a new
  // process.
  Result<Report> measure(int device, const Job& job, const Progress& progress = {});
  void cancel() { cancelled_ = true; }
  bool running() const { return process_ > 0; }
  int process() const { return process_; }  // its id; 0 when none runs

 private:
  Result<void> start();
  void stop(bool kill);
  Result<std::string> ask(const std::string& request, const std::string& blob, const Progress& progress,
                          std::string* lastProgress, double seconds);

  WorkerOptions options_;
  int process_ = 0;
  int toWorker_ = -1, fromWorker_ = -1;
  std::unique_ptr<class FrameReader> reader_;
  std::atomic<bool> cancelled_ = false;
};

}  // namespace loom::gpu
