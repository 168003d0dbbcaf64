// Many workers that measure jobs side by side: commands (this machine's, srun's, ssh's), each with a GPU of the same
// model, for times of two models don't compare.
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
  std::vector<std::string> commands;  // one a worker, for /bin/sh: the verb `worker`, here or elsewhere
  int ordinal = 0;                    // of the device that each uses
  process::PoolLimits limits;
  std::function<void()> turned = {};  // as process::PoolJudge::turned
};

// Not thread-safe. The processes end with this object.
class MeasuringPool {
 public:
  explicit MeasuringPool(MeasuringPoolOptions options);
  ~MeasuringPool();

  // Returns the device of the worker that started first; workers of another model are refused from then on. Errors:
  // "NoWorker" if none starts (the message says of each command why), "Cancelled".
  Result<DeviceInfo> device(std::stop_token stop = {});

  // `seconds`: that workers had the job.
  using Done = std::function<void(std::size_t job, const Result<Report>&, double seconds)>;
  // Measures each job on one worker, in a process of its own after a fault. `done` is called once for each, as soon as
  // it is settled. Errors of a job: "WorkerLost" and "Deadline" (with two workers), "NoWorker", "Cancelled",
  // "ProtocolError", and what the worker reports.
  std::vector<Result<Report>> measure(const std::vector<Job>& jobs, const Done& done = {},
                                      const Progress& progress = {}, std::stop_token stop = {});

  const std::vector<std::string>& commands() const { return options_.commands; }
  // Return what each worker has done, what it does now, and how far `measure` is (process::WorkerPool).
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

// Returns the commands of workers on this machine, one for each of `gpus` GPUs: `command` with CUDA_VISIBLE_DEVICES.
std::vector<std::string> localWorkers(const std::string& command, int gpus);

// Reads the value of an option: "srun -N1 tileloom worker ×8" is eight times the command before the sign, which may be
// an x, too. Error "ParseError" for no command, or a number that isn't 1 to 1000.
Result<std::vector<std::string>> workerCommands(const std::string& words);

}  // namespace loom::gpu
