// The workers of a pool (worker_pool.h) as processes, each started by a command line, on this machine or on another by
// srun or ssh.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/process/worker_pool.h"

namespace loom::process {

// The processes that are the workers of a pool.
struct WorkerProcessesOptions {
  std::vector<std::string> commands;  // for each worker, a command line for /bin/sh that runs `serve` (serve.h)
  Frame introduction;                 // the first request to each process
  // How long a process may take to start, and as long again to answer `introduction`; else it is ended, and the event
  // Ended follows.
  double startSeconds = 600;
};

// Workers that are processes. For each worker a thread waits for its process. The last line that a process writes to
// its standard error is part of the message that says why it failed. The processes end with this object.
class WorkerProcesses : public Workers {
 public:
  explicit WorkerProcesses(WorkerProcessesOptions options);
  ~WorkerProcesses() override;

  int count() const override { return int(all_.size()); }
  double now() const override;  // seconds of a clock that never goes back
  // Starts the worker's process, which must not be running, and sends it the introduction. The event Started or Ended
  // follows.
  void start(int worker) override;
  // Sends a request to a worker that has started and has no other request. Events with the number `lease`, which isn't
  // 0, follow: Progressed, any number of times, and then Answered or Ended. If the process had ended before it got the
  // request, Ended alone follows, with the lease 0.
  void give(int worker, std::uint64_t lease, const Frame& request) override;
  // Kills the worker's process. The event Ended follows, unless the process has ended or was never started.
  void kill(int worker) override;
  // Waits for the next event of any worker until the time `until` by the clock of `now`, but no longer than a tenth of
  // a second. Returns nothing if there was none.
  std::optional<WorkerEvent> wait(double until) override;

 private:
  struct One;
  struct Events;
  WorkerProcessesOptions options_;
  std::shared_ptr<Events> events_;
  std::vector<std::unique_ptr<One>> all_;
};

}  // namespace loom::process
