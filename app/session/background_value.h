#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/session/job_queue.h"

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
  /// thread, so it must own or share only what no longer changes. If `make` throws, there is no value. `wake`, which
  /// may be empty, is called on that thread once the value is ready.
  void ask(std::function<T()> make, std::function<void()> wake) {
    const std::uint64_t order = begin(true);
    queue_.submit([box = box_, make = std::move(make), wake = std::move(wake), order] {
      T made = make();
      {
        std::lock_guard lock(box->mutex);
        if (order != box->order) return;
        box->value = std::move(made);
        box->wait(false);
      }
      if (wake) wake();
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

 private:
  // Gives up what was asked for before. Returns the number of what is asked for now, which is waited for if `waits`.
  std::uint64_t begin(bool waits) {
    queue_.drop();
    std::lock_guard lock(box_->mutex);
    box_->value.reset();
    box_->wait(waits);
    return ++box_->order;
  }

  struct Box {
    ~Box() { wait(false); }
    void wait(bool waits) {
      if (waits != waiting) background::pending += waits ? 1 : -1;
      waiting = waits;
    }
    std::mutex mutex;
    std::uint64_t order = 0;
    bool waiting = false;
    std::optional<T> value;
  };
  std::shared_ptr<Box> box_ = std::make_shared<Box>();
  JobQueue queue_;
};

}  // namespace loom::session
