#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/session/job_queue.h"

namespace loom::session {

namespace latest {
inline std::atomic<int> asked{0};  // and not made yet
}
/// How many values that were asked for of a `Latest`, or that a `Making` stands for, are still being made, in the whole
/// program.
inline int beingMade() { return latest::asked; }
/// Something that a panel has asked for, for as long as it lives.
struct Making {
  Making() { ++latest::asked; }
  ~Making() { --latest::asked; }
  Making(const Making&) = delete;
  Making& operator=(const Making&) = delete;
};

/// A value that is made in the background for the UI's thread. Of several that are asked for only the last one counts:
/// what has not begun is dropped, what comes too late is not handed out.
template <typename T>
class Latest {
 public:
  /// `make` runs on another thread and shares nothing that changes; `wake` is called there once the value is there.
  void ask(std::function<T()> make, std::function<void()> wake) {
    queue_.drop();
    std::uint64_t order = 0;
    {
      std::lock_guard lock(box_->mutex);
      order = ++box_->order;
      box_->value.reset();
      box_->wait(true);
    }
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

  /// The value, once.
  std::optional<T> take() {
    std::lock_guard lock(box_->mutex);
    return std::exchange(box_->value, std::nullopt);
  }

 private:
  struct Box {
    ~Box() { wait(false); }
    void wait(bool waits) {
      if (waits != waiting) latest::asked += waits ? 1 : -1;
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
