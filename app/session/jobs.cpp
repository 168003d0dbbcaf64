#include "app/session/jobs.h"

namespace loom::session {

Jobs::Jobs(std::function<void()> wake) : wake_(std::move(wake)) {
  for (auto& queue : queues_) {
    queue = std::make_unique<JobQueue>(
        [this](const std::string& what) { finish([this, error = mistake(what)] { failures_.push_back(error); }); });
  }
}

void Jobs::end() {
  for (auto& queue : queues_) queue.reset();
}

void Jobs::silence() {
  std::lock_guard lock(mutex_);
  wake_ = nullptr;
}

void Jobs::finish(std::function<void()> take) {
  std::lock_guard lock(mutex_);
  done_.push_back(std::move(take));
  if (wake_) wake_();
}

void Jobs::finishFor(std::uint64_t target, std::function<void()> take) {
  finish([this, target, take = std::move(take)] {
    if (target_ == target) take();
  });
}

bool Jobs::takeFinished() {
  std::vector<std::function<void()>> done;
  {
    std::lock_guard lock(mutex_);
    done.swap(done_);
  }
  for (const auto& take : done) take();
  return !done.empty();
}

void Jobs::setProgress(const Message& text) {
  std::lock_guard lock(mutex_);
  progress_ = text;
  if (wake_) wake_();
}

Message Jobs::progress() const {
  std::lock_guard lock(mutex_);
  return progress_;
}

}  // namespace loom::session
