// A pool of worker processes that measure jobs in parallel. A job is candidate kernels to check and time (measure.h).
// Each worker is started by a command, on this machine or on another by srun or ssh, and has a GPU of its own. All GPUs
// are of the same model, so that times can be compared.
#pragma once
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/gpu/measure.h"
#include "core/process/worker_pool.h"

namespace loom::gpu {

// The workers of a pool, and its limits.
struct MeasuringPoolOptions {
  std::vector<std::string> commands;  // for each worker, a command line for /bin/sh that runs `tileloom worker`
  int ordinal = 0;                    // the ordinal of the device that each worker uses, among those that it sees
  process::PoolLimits limits;
  // Called, unless empty, on the thread that measures, before each wait for workers and after idle workers were given
  // jobs.
  std::function<void()> turned = {};
};

// A pool of worker processes, which are started when they are first needed. Not thread-safe. The processes end with
// this object.
class MeasuringPool {
 public:
  explicit MeasuringPool(MeasuringPoolOptions options);
  ~MeasuringPool();

  // Returns the device of the worker that started first; workers of another model are refused from then on. Errors:
  // "NoWorker" if none starts (the message says of each command why), "Cancelled".
  Result<DeviceInfo> device(std::stop_token stop = {});

  // Called with the index of a job, its result, and the seconds for which workers had the job.
  using Done = std::function<void(std::size_t job, const Result<Report>&, double seconds)>;
  // Measures all jobs, each on one worker, and returns their results in the same order. A process in which a kernel
  // faulted gets no further job and is replaced. `done` is called once for each job, as soon as its result is there,
  // and then `progress` with "N of M measured", both on the calling thread. Errors of a job: "WorkerLost" (the process
  // ended) or "Deadline" (it didn't answer in time) if a second attempt was lost as well, by how that one was lost,
  // "NoWorker", "Cancelled", "ProtocolError", and those that the worker reports.
  std::vector<Result<Report>> measure(const std::vector<Job>& jobs, const Done& done = {},
                                      const Progress& progress = {}, std::stop_token stop = {});

  const std::vector<std::string>& commands() const { return options_.commands; }
  // Return, for each worker, what it has done (`tallies`) and what it does now (`workers`); and how many jobs of
  // `measure` are settled and waiting (`queue`, all 0 outside of `measure`).
  const std::vector<process::WorkerTally>& tallies() const;
  std::vector<process::WorkerStatus> workers() const;
  process::QueueStatus queue() const;

 private:
  Message refused(const process::Frame& introduction);

  struct Parts;
  MeasuringPoolOptions options_;
  std::optional<DeviceInfo> device_;  // of the first
  std::unique_ptr<Parts> parts_;
};

// Returns the commands of workers on this machine, one for each of `gpus` GPUs: `command`, with CUDA_VISIBLE_DEVICES
// set to this GPU alone. If this process has that variable, these are the first GPUs that it names, and there are no
// more workers than it names; else GPU n is the one with the number n.
std::vector<std::string> localWorkers(const std::string& command, int gpus);

// Returns the commands of workers that the value of a command-line option stands for: "srun -N1 tileloom worker ×8"
// stands for eight times the command before the sign, which is × or x after a blank; a value without such an end is one
// command. Error "ParseError" if there is no command, or if the number isn't 1 to 1000.
Result<std::vector<std::string>> workerCommands(const std::string& words);

}  // namespace loom::gpu
