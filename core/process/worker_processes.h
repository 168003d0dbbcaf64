// The workers of a pool as processes: command lines, run here or by srun or ssh on another machine.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/process/worker_pool.h"

namespace loom::process {

// The processes that are the workers of a pool.
struct WorkerProcessesOptions {
  std::vector<std::string> commands;  // one a worker; each is run by /bin/sh and answers as `serve` does
  Frame introduction;                 // what each process is asked first
  double startSeconds = 600;          // until it greets and has answered that
};

// A thread a worker waits for its process. What the processes write to their standard error is kept for the message
// that says why one ended. They end with this object.
class WorkerProcesses : public Workers {
 public:
  explicit WorkerProcesses(WorkerProcessesOptions options);
  ~WorkerProcesses() override;

  int count() const override { return int(all_.size()); }
  double now() const override;
  void start(int worker) override;
  void give(int worker, std::uint64_t lease, const Frame& request) override;
  void kill(int worker) override;
  std::optional<WorkerEvent> wait(double until) override;

 private:
  struct One;
  struct Events;
  WorkerProcessesOptions options_;
  std::shared_ptr<Events> events_;
  std::vector<std::unique_ptr<One>> all_;
};

}  // namespace loom::process
