// The program's side of a worker process: starts the process when it is first needed, sends it one request at a time,
// and kills it when it doesn't answer in time.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/process/frame.h"

namespace loom::process {

// How a process is started.
struct ChildOptions {
  std::string command;       // a command line, which /bin/sh runs with `exec` before it
  double startSeconds = 60;  // how long the process may take to start and to answer the first request, "hello"
  // Added to the process's niceness, 0 to 19. A process with an added niceness belongs to our session, so that it
  // stands back behind us; others get a session of their own, in which ssh can't ask at our terminal.
  int niceness = 0;
};

// A worker process. Not thread-safe: one request at a time. The worker process ends with this object, and also if the
// program itself is killed (`endWithClient`, serve.h).
class Child {
 public:
  // Starts no process yet. Makes the calling program ignore SIGPIPE.
  explicit Child(ChildOptions options);
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child();

  using Progress = std::function<void(const Message&)>;

  // Starts the process where none runs and waits for its greeting. Errors: "WorkerLost" (it can't be started, or it
  // ended: the message says how), "Timeout" (no answer or progress in time; the process is killed), "Cancelled"
  // (killed, too), "ProtocolError" (what it sent is no frame or no answer; killed), and what the process reports
  // instead of a greeting (killed).
  Result<void> start(std::stop_token stop = {});
  // Sends a request, to a process that is started if none runs, and waits for the answer, whose text is the JSON of its
  // "result". `seconds`, counted without the start, is the longest wait for the answer or for the next progress
  // message, with which `progress` is called in this thread. Errors: those of `start`, and those that the process
  // reports as its answer ("WorkerError" if it gives no code).
  Result<Frame> ask(const Frame& request, double seconds, const Progress& progress = {}, std::stop_token stop = {});
  // Ends the process: at once, or by the end of its input with three seconds' grace.
  void end(bool atOnce);

  // Returns whether a process was started and not ended; true also until `ask` finds that it has ended by itself.
  bool running() const { return process_ > 0; }
  int process() const { return process_; }  // its id; 0 when none runs

 private:
  Failure lost(const char* code, Message message);
  Message ending();  // reaps the process: "killed by signal 9 (Killed)", "exit status 127"

  ChildOptions options_;
  int process_ = 0;
  int toChild_ = -1, fromChild_ = -1;
  std::unique_ptr<FrameReader> reader_;
};

// Runs a program (argv[0] is its path) and returns what it prints. Returns nothing if it can't be started, exits with
// another status than 0, or takes longer than `seconds`.
std::optional<std::string> outputOf(const std::vector<std::string>& argv, double seconds);

}  // namespace loom::process
