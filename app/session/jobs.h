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

/// What a thread of a session works on. They end in this order, so that none hands work to one that has ended.
enum class Queue : std::uint8_t {
  kProposals,     ///< waits for those that compile and model
  kChecks,        ///< executes states on the CPU
  kCompilations,  ///< hands work to `kModels`
  kBench,         ///< measures, and looks up what is known; hands work to `kModels`
  kModels,
  kPrograms,  ///< opens, lowers, writes files; hands work to `kPredictions`
  kPredictions,
};
inline constexpr int kQueues = 7;

/// The background threads of a session, and what they have finished, which the UI thread takes in once a frame. The UI
/// thread calls everything but `finish`, `finishFor` and `setProgress`, which any thread may call.
class Jobs {
 public:
  /// `wake` is called from other threads when there is something to take; it may be empty.
  explicit Jobs(std::function<void()> wake);
  ~Jobs() { end(); }
  Jobs(const Jobs&) = delete;
  Jobs& operator=(const Jobs&) = delete;

  JobQueue& operator[](Queue queue) { return *queues_[std::size_t(queue)]; }
  /// Ends all threads, each after the job that runs.
  void end();
  /// Calls `wake` no more.
  void silence();

  /// Has `take` run on the UI thread, in the next `takeFinished`.
  void finish(std::function<void()> take);
  /// The same, unless another target has been opened since `target` was the number of the open one.
  void finishFor(std::uint64_t target, std::function<void()> take);
  /// Runs what has been finished. Returns whether there was anything.
  bool takeFinished();
  /// Returns the errors of jobs that a mistake in the program ended, once.
  std::vector<Error> takeFailures() { return std::exchange(failures_, {}); }

  /// A line on what is being measured: "round 3 of 21, compile 12"; empty: nothing is.
  void setProgress(const Message& text);
  Message progress() const;

  /// Grows with every change that panels could show: for their caches.
  std::uint64_t revision() const { return revision_; }
  void touch() { ++revision_; }
  /// The number of the open target: grows whenever all that is known of states is forgotten.
  std::uint64_t target() const { return target_; }
  void forgetTarget() { ++target_; }

  /// How many jobs measure.
  int measuring = 0;

  /// Frees a value on another thread: what is known of a lesson's states takes longer than a frame.
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
