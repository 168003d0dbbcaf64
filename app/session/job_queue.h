#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "core/ir/result.h"

namespace loom::session {

/// Returns what an exception says; of one that is no std::exception, that it is none. `thrown` isn't null.
std::string whatOf(const std::exception_ptr& thrown);
/// Returns the error "InternalError" for the message of an exception that ended a job: a mistake in this program.
Error mistake(const std::string& what);

/// A background thread of low priority that runs jobs, one at a time, in the order in which they are submitted. Any
/// thread may call its functions, jobs included. The destructor drops the jobs that wait, except those of
/// `submitLasting`, and waits for these, the job that runs and what it still submits.
class JobQueue {
 public:
  /// `failed` is called on the queue's thread with what the exception says (whatOf) that a job throws. The job is then
  /// over, and the others go on. If `failed` is empty, it is printed on stderr.
  explicit JobQueue(std::function<void(const std::string& what)> failed = {})
      : failed_(std::move(failed)), thread_([this] { work(); }) {}
  ~JobQueue();

  /// Adds a job that is run after all that wait.
  void submit(std::function<void()> job) { add({std::move(job), false}); }
  /// Adds a job that is run before all that wait, because the user waits for it.
  void submitFirst(std::function<void()> job);
  /// Adds a job that is never dropped, also not when the program ends: one that writes a file for the user.
  void submitLasting(std::function<void()> job) { add({std::move(job), true}); }
  /// Drops the jobs that have not begun, except those of `submitLasting`.
  void drop();
  /// Returns whether no job runs and none waits.
  bool idle() const;

  /// Sets the niceness, 0 to 19, of threads of queues made from now on; 19 by default. Tests set 0: nothing is drawn
  /// there, and the tests wait for jobs, which other processes on the machine must not starve.
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
