#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace loom::session {

/// One thread, of lower priority than those that draw, that runs jobs in the order asked. The destructor ends after the
/// job that runs; the rest is dropped, unless it must not be (`submitLasting`).
class JobQueue {
 public:
  /// `failed` is called, in the queue's thread, with what a job threw: that job is over, the others go on. Without it,
  /// the message goes to standard error.
  explicit JobQueue(std::function<void(const std::string& what)> failed = {})
      : failed_(std::move(failed)), thread_([this] { work(); }) {}
  ~JobQueue();

  void submit(std::function<void()> job) { add({std::move(job), false}); }
  /// Adds a job that is run before all that wait, because the user waits for it.
  void submitFirst(std::function<void()> job);
  /// Adds a job that is run even if the program ends before: one that writes a file which the user asked for.
  void submitLasting(std::function<void()> job) { add({std::move(job), true}); }
  /// Drops what hasn't begun, except what lasts.
  void drop();
  /// Returns whether nothing runs and nothing waits.
  bool idle() const;

  /// Sets the niceness, 0 to 19, of threads of queues made from now on; 19 by default. Tests set 0, because nothing is
  /// drawn there and what runs beside them must not starve the jobs that they wait for.
  static void setNiceness(int niceness);

 private:
  struct Job {
    std::function<void()> run;
    bool lasting = false;
  };
  void add(Job job);
  void dropLocked();
  void work();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool running_ = false;
  bool ending_ = false;
  const std::function<void(const std::string& what)> failed_;
  std::thread thread_;
};

}  // namespace loom::session
