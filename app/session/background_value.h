#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/session/job_queue.h"
#include "core/ir/result.h"

namespace loom::session {

namespace background {
inline std::atomic<int> pending{0};  // the number that `beingMade` returns
inline std::mutex failing;
inline std::vector<Error> failures;  // what `takeBackgroundFailures` returns; guarded by `failing`
}  // namespace background
/// Returns why values of `BackgroundValue` objects could not be made, in the whole program, since the last call: the
/// session tells of it, as most panels would only wait.
inline std::vector<Error> takeBackgroundFailures() {
  std::lock_guard lock(background::failing);
  return std::exchange(background::failures, {});
}
/// Returns how many values of `BackgroundValue` objects have been asked for and are not ready yet, and how many
/// `PendingJob` objects live, in the whole program. 0 if no panel waits for anything more: what is ready, but hasn't
/// been taken, appears in the next frame.
inline int beingMade() { return background::pending; }
/// An object that `beingMade` counts for as long as it lives. A job whose result a panel waits for owns one, unless the
/// result is a `BackgroundValue`.
struct PendingJob {
  /// Begins counting; the destructor ends it.
  PendingJob() { ++background::pending; }
  ~PendingJob() { --background::pending; }
  PendingJob(const PendingJob&) = delete;
  PendingJob& operator=(const PendingJob&) = delete;
};

/// A value that a panel shows and that takes too long to make between two frames. Another thread makes it; the thread
/// of the window asks for it, and takes it in some later frame. Only the value that was asked for last is handed out:
/// an earlier one is thrown away when it is ready, or, if its making hasn't begun, is never made. The destructor waits
/// for a `make` that is running, and for the `wake` after it.
template <typename T>
class BackgroundValue {
 public:
  /// Asks for the value that `make` returns, instead of any that was asked for before. `make` is called on another
  /// thread, so what it uses must be its own or no longer change. If it throws, there is no value, and `takeFailure`
  /// says why; but if T is a Result, the value is that error. `wake`, which may be empty, is called on that thread
  /// after `make` has returned or thrown; not if the value was dropped, or another asked for, before that.
  void ask(std::function<T()> make, std::function<void()> wake) {
    const std::uint64_t order = begin(true);
    queue_.submit([box = box_, make = std::move(make), wake = std::move(wake), order] {
      std::optional<T> made;
      std::optional<Error> failure;
      std::exception_ptr thrown;
      try {
        made = make();
      } catch (...) {
        thrown = std::current_exception();
        failure = mistake(whatOf(thrown));
      }
      const bool wanted = box->end(order, std::move(made), std::move(failure));
      if (wanted && wake) wake();
      if (thrown) std::rethrow_exception(thrown);  // the queue reports it
    });
  }

  /// Gives up the value that was asked for last, because nothing would show it: `take` returns nothing until the next
  /// `ask`.
  void drop() { begin(false); }

  /// Returns the value if it is ready and has not been taken yet, or else nothing.
  std::optional<T> take() {
    std::lock_guard lock(box_->mutex);
    return std::exchange(box_->value, std::nullopt);
  }

  /// Returns why there is no value, if `make` threw for the one that was asked for last and no call has returned it
  /// yet, or else nothing. Such an error ("InternalError") is a mistake in Tileloom.
  std::optional<Error> takeFailure() {
    std::lock_guard lock(box_->mutex);
    return std::exchange(box_->failure, std::nullopt);
  }

  /// Returns whether a value that was asked for may still come: `take` and `takeFailure` haven't returned what came of
  /// it.
  bool isAwaited() const {
    std::lock_guard lock(box_->mutex);
    return box_->waiting || box_->value || box_->failure;
  }

 private:
  // Gives up what was asked for before. Returns the number of what is asked for now, which is waited for if `waits`.
  std::uint64_t begin(bool waits) {
    queue_.drop();
    std::lock_guard lock(box_->mutex);
    box_->value.reset();
    box_->failure.reset();
    box_->wait(waits);
    return ++box_->order;
  }

  struct Box {
    ~Box() { wait(false); }
    // Takes what came of a job in. Returns false, and takes nothing, if something else has been asked for since.
    bool end(std::uint64_t job, std::optional<T> made, std::optional<Error> why) {
      std::lock_guard lock(mutex);
      if (job != order) return false;
      if (why) {
        std::lock_guard told(background::failing);
        background::failures.push_back(*why);
      }
      value = std::move(made);
      if constexpr (std::is_constructible_v<T, Failure>) {
        if (why) value = Failure(std::move(*why));
      } else {
        failure = std::move(why);
      }
      wait(false);
      return true;
    }
    void wait(bool waits) {
      if (waits != waiting) background::pending += waits ? 1 : -1;
      waiting = waits;
    }
    std::mutex mutex;
    std::uint64_t order = 0;
    bool waiting = false;
    std::optional<T> value;
    std::optional<Error> failure;
  };
  std::shared_ptr<Box> box_ = std::make_shared<Box>();
  JobQueue queue_;
};

}  // namespace loom::session
