#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/session/job_queue.h"
#include "core/ir/result.h"

namespace loom::session {

namespace background {
inline std::atomic<int> pending{0};  // number of values and jobs of all threads that are not ready
}
/// Returns how many values of `BackgroundValue` objects have been asked for and are not ready yet, and how many
/// `PendingJob` objects live: 0 if nothing more will appear in any panel by itself. Counts the whole program.
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
/// an earlier one is not begun any more, or is thrown away when it is ready. The destructor waits for a `make` that is
/// running.
template <typename T>
class BackgroundValue {
 public:
  /// Asks for the value that `make` returns, instead of any that was asked for before. `make` is called on another
  /// thread, so what it uses must be its own or no longer change. If it throws a std::exception, and it may throw
  /// nothing else, there is no value, and `takeFailure` says why. `wake`, which may be empty, is called on that thread
  /// once the value is ready, or `make` has thrown, unless the value was dropped or another was asked for meanwhile.
  void ask(std::function<T()> make, std::function<void()> wake) {
    const std::uint64_t order = begin(true);
    queue_.submit([box = box_, make = std::move(make), wake = std::move(wake), order] {
      std::optional<T> made;
      std::optional<Error> failure;
      std::exception_ptr thrown;
      try {
        made = make();
      } catch (const std::exception& e) {
        failure = mistake(e.what());
        thrown = std::current_exception();
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
      value = std::move(made);
      failure = std::move(why);
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
