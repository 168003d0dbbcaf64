#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "app/session/job_queue.h"
#include "core/ir/result.h"

namespace loom::session {

/// The background threads of a session, one for each kind of work on the open target (lesson, document or function) and
/// its states, a state being the program after some steps of its schedule. The threads end in this order, so that no
/// thread hands work to one that has ended.
enum class Queue : std::uint8_t {
  kSearch,        ///< searches over a program's schedules; waits for `kBench`
  kProposals,     ///< searches for faster steps; waits for `kCompilations` and `kModels`
  kChecks,        ///< executes states on the CPU
  kCompilations,  ///< compiles states; hands work to `kModels`
  kBench,         ///< measures states, and looks up stored times; hands work to `kModels`
  kModels,        ///< evaluates the cost model
  kPrograms,      ///< opens and writes files, and lowers states; hands work to `kPredictions`
  kPredictions,   ///< predicts the time of the step that is previewed
};
inline constexpr int kQueues = 8;

/// The background threads of a session and the results that they hand to the UI thread, which takes them in once a
/// frame. Only the UI thread may call these functions, except `finish`, `finishFor` and `setProgress`, which any thread
/// may call, and the operator [], by which a thread hands work to another one as `Queue` says.
class Jobs {
 public:
  /// `wake` is called by `finish`, `finishFor` and `setProgress`, on the thread that calls these, because
  /// `takeFinished` has something to do or `progress` has changed. It must not call this object, and may be empty.
  explicit Jobs(std::function<void()> wake);
  ~Jobs() { end(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  /// Returns the queue of jobs of a background thread.
  JobQueue& operator[](Queue queue) { return *queues_[std::size_t(queue)]; }
  /// Ends all threads. Waits for the jobs that are running; those that have not begun are dropped, unless they were
  /// submitted by JobQueue::submitLasting.
  void end();
  /// Makes `wake` be called no more, because the window that it refers to is about to be destroyed.
  void silence();

  /// Hands a result over: `take` runs on the UI thread during the next `takeFinished`, after those that were handed
  /// over before it.
  void finish(std::function<void()> take);
  /// Like `finish`, but drops `take` if `target()` has grown since it returned `target`, because the result is of a
  /// target that is no longer open.
  void finishFor(std::uint64_t target, std::function<void()> take);
  /// Runs all functions that were handed over since the last call. Returns whether there were any.
  bool takeFinished();
  /// Returns the errors of jobs that ended by an exception, each once. Such an error is a mistake in Tileloom.
  std::vector<Error> takeFailures() { return std::exchange(failures_, {}); }

  /// Sets the line that says how far a measurement is: "round 3 of 21". Empty while nothing is measured.
  void setProgress(const Message& text);
  /// Returns the line that `setProgress` has set last.
  Message progress() const;

  /// Returns a number that grows with every change that a panel could show. Caches compare it to see whether they are
  /// out of date.
  std::uint64_t revision() const { return revision_; }
  /// Makes `revision` grow, because something that a panel could show has changed.
  void touch() { ++revision_; }
  /// Returns the number of the open target. It grows when another target is opened, and when everything that is known
  /// of the states is forgotten.
  std::uint64_t target() const { return target_; }
  /// Makes `target` grow, so that results of earlier jobs are dropped.
  void forgetTarget() { ++target_; }

  /// The number of measuring jobs whose results have not been taken yet. Whoever submits such a job counts it up on the
  /// UI thread, and counts it down in the function that takes the job's last result (`finish`).
  int measuring = 0;

  /// Destroys a value on a background thread. For values that take longer than a frame to free, such as all programs of
  /// a lesson.
  template <typename T>
  void discard(T what) {
    (*this)[Queue::kPrograms].submit([kept = std::make_shared<T>(std::move(what))] {});
  }

 private:
  std::function<void()> wake_;
  mutable std::mutex mutex_;
  std::vector<std::function<void()>> done_;  ///< guarded by `mutex_`
  Message progress_;                         ///< guarded by `mutex_`
  std::vector<Error> failures_;
  std::uint64_t revision_ = 1, target_ = 0;
  std::unique_ptr<JobQueue> queues_[kQueues];
};

}  // namespace loom::session
