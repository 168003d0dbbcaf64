#include "app/session/job_queue.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>

namespace loom::session {

namespace {

std::atomic<int> theirNiceness = 19;

// The threads that draw go first: where the processor draws the window, every core is the frame's. (On Linux niceness
// is a thread's; a niced thread still gets a sixtieth of a core that others ask for.)
void standBack() {
  if (theirNiceness > 0) setpriority(PRIO_PROCESS, id_t(gettid()), theirNiceness);
}

}  // namespace

std::string whatOf(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception that says nothing";
  }
}

Error mistake(const std::string& what) {
  return fail("InternalError", message("A mistake in Tileloom itself: {}", what)).value();
}

void JobQueue::setNiceness(int niceness) { theirNiceness = niceness; }

JobQueue::~JobQueue() {
  {
    std::lock_guard lock(mutex_);
    ending_ = true;
    dropLocked();
  }
  changed_.notify_one();
  thread_.join();
}

void JobQueue::drop() {
  std::lock_guard lock(mutex_);
  dropLocked();
}

void JobQueue::dropLocked() {
  jobs_.erase(std::remove_if(jobs_.begin(), jobs_.end(), [](const Job& job) { return !job.lasting; }), jobs_.end());
}

bool JobQueue::idle() const {
  std::lock_guard lock(mutex_);
  return !running_ && jobs_.empty();
}

void JobQueue::add(Job job) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

void JobQueue::submitFirst(std::function<void()> job) {
  {
    std::lock_guard lock(mutex_);
    jobs_.push_front({std::move(job), false});
  }
  changed_.notify_one();
}

void JobQueue::work() {
  standBack();
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    running_ = true;
    lock.unlock();
    try {
      job.run();
    } catch (...) {  // a program nobody thought of must not take with it what isn't saved
      const std::string what = whatOf(std::current_exception());
      if (failed_) {
        failed_(what);
      } else {
        std::fprintf(stderr, "tileloom: a job failed: %s\n", what.c_str());
      }
    }
    job.run = nullptr;
    lock.lock();
    running_ = false;
  }
}

}  // namespace loom::session
