#include "core/process/worker_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "core/process/child.h"

namespace loom::process {

namespace {

// The pool kills what is late; a process's own deadlines only stand behind that.
constexpr double kNoDeadline = 1e7;
constexpr double kLookAround = 0.1;  // seconds, the longest `wait`

struct Order {
  enum class Kind { Start, Give, Kill, Quit };
  Kind kind = Kind::Quit;
  std::uint64_t lease = 0;
  Frame request;
};

// What a process writes to its standard error, in a file in memory: one that writes much waits for nobody to read.
class KeptErrors {
 public:
  KeptErrors() : file_(memfd_create("standard error", MFD_CLOEXEC)) {}
  ~KeptErrors() {
    if (file_ >= 0) close(file_);
  }
  KeptErrors(const KeptErrors&) = delete;
  KeptErrors& operator=(const KeptErrors&) = delete;

  // A command line like `command` that writes them here; "exec" is put before it.
  std::string redirected(const std::string& command) const {
    return file_ < 0 ? command : fmt::format("2>>/proc/{}/fd/{}; exec {}", getpid(), file_, command);
  }
  void forget() {
    if (file_ >= 0) (void)!ftruncate(file_, 0);
  }
  // "" where it wrote nothing.
  std::string lastLine() const {
    if (file_ < 0) return "";
    constexpr off_t kMost = 4096;
    const off_t size = lseek(file_, 0, SEEK_END), from = std::max<off_t>(size - kMost, 0);
    std::string text(std::size_t(std::max<off_t>(size - from, 0)), ' ');
    const ssize_t got = pread(file_, text.data(), text.size(), from);
    text.resize(std::size_t(std::max<ssize_t>(got, 0)));
    text.erase(text.find_last_not_of(" \r\n") + 1);
    const std::size_t line = text.rfind('\n');
    return line == std::string::npos ? text : text.substr(line + 1);
  }

 private:
  int file_;
};

}  // namespace

struct WorkerProcesses::Events {
  std::mutex mutex;
  std::condition_variable ready;
  std::deque<WorkerEvent> waiting;

  void put(WorkerEvent event) {
    {
      std::lock_guard lock(mutex);
      waiting.push_back(std::move(event));
    }
    ready.notify_one();
  }
};

// One process and the thread that waits for it.
struct WorkerProcesses::One {
  One(int number, const WorkerProcessesOptions& options, std::shared_ptr<Events> events)
      : number_(number),
        options_(options),
        events_(std::move(events)),
        child_({errors_.redirected(options.commands[std::size_t(number)]), options.startSeconds, 0}),
        thread_([this] { work(); }) {}

  void order(Order order) {
    {
      std::lock_guard lock(mutex_);
      if (order.kind == Order::Kind::Kill || order.kind == Order::Kind::Quit) {
        stop_.request_stop();
      } else {
        stop_ = std::stop_source();
      }
      orders_.push_back(std::move(order));
    }
    changed_.notify_one();
  }

  void join() { thread_.join(); }

 private:
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !orders_.empty(); });
      const Order order = std::move(orders_.front());
      orders_.pop_front();
      const std::stop_token stop = stop_.get_token();
      lock.unlock();
      switch (order.kind) {
        case Order::Kind::Start: start(stop); break;
        case Order::Kind::Give: answer(order, stop); break;
        case Order::Kind::Kill:
          if (!child_.running()) break;  // it has said how it ended
          child_.end(true);
          ended(0, message("killed"));
          break;
        case Order::Kind::Quit: child_.end(false); return;
      }
    }
  }

  void ended(std::uint64_t lease, Message why) {
    WorkerEvent event;
    event.kind = WorkerEvent::Kind::Ended;
    event.worker = number_;
    event.lease = lease;
    event.why = std::move(why);
    events_->put(std::move(event));
  }

  Message withLastLine(const Message& why) const {
    const std::string line = errors_.lastLine();
    return line.empty() ? why : message("{}: {}", why, line);
  }

  void start(const std::stop_token& stop) {
    errors_.forget();
    const std::string& command = options_.commands[std::size_t(number_)];
    if (auto started = child_.start(stop); !started) {
      // The child names the command with what was put around it.
      const Message& why = started.error().message;
      const bool named = why.id() == "the worker can't be started: {}: {}";
      const auto reason = named ? std::get<std::shared_ptr<const Message>>(why.arguments()[1]) : nullptr;
      return ended(0, message("the worker can't be started: {}: {}", command, withLastLine(reason ? *reason : why)));
    }
    auto introduced = child_.ask(options_.introduction, options_.startSeconds, {}, stop);
    if (!introduced) {
      const Message why = withLastLine(introduced.error().message);
      if (child_.running()) child_.end(true);  // it lives and refuses, for it has no GPU
      return ended(0, message("the worker can't be used: {}: {}", command, why));
    }
    WorkerEvent event;
    event.kind = WorkerEvent::Kind::Started;
    event.worker = number_;
    event.frame = std::move(*introduced);
    events_->put(std::move(event));
  }

  void answer(const Order& order, const std::stop_token& stop) {
    // One that ended since it was last heard of had no part in this job.
    siginfo_t end = {};
    const bool gone = waitid(P_PID, id_t(child_.process()), &end, WEXITED | WNOHANG | WNOWAIT) == 0 && end.si_pid != 0;
    if (!child_.running() || gone) {
      child_.end(true);
      return ended(0, message("the worker ended while it had nothing to do"));
    }
    WorkerEvent event;
    event.worker = number_;
    event.lease = order.lease;
    auto answer = child_.ask(
        order.request, kNoDeadline,
        [&](const Message& what) {
          event.kind = WorkerEvent::Kind::Progressed;
          event.progress = what;
          events_->put(event);
        },
        stop);
    if (!answer && !child_.running()) return ended(order.lease, withLastLine(answer.error().message));
    event.kind = WorkerEvent::Kind::Answered;
    event.progress = {};
    if (answer) {
      event.frame = std::move(*answer);
    } else {
      event.error = answer.error();
    }
    events_->put(std::move(event));
  }

  int number_;
  const WorkerProcessesOptions& options_;
  std::shared_ptr<Events> events_;
  KeptErrors errors_;
  Child child_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Order> orders_;
  std::stop_source stop_;  // of what the last order began
  std::thread thread_;     // last: it uses all of the above
};

WorkerProcesses::WorkerProcesses(WorkerProcessesOptions options)
    : options_(std::move(options)), events_(std::make_shared<Events>()) {
  for (std::size_t n = 0; n < options_.commands.size(); ++n)
    all_.push_back(std::make_unique<One>(int(n), options_, events_));
}

WorkerProcesses::~WorkerProcesses() {
  // All are told before any is waited for.
  for (auto& one : all_) one->order({Order::Kind::Quit, 0, {}});
  for (auto& one : all_) one->join();
}

double WorkerProcesses::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void WorkerProcesses::start(int worker) { all_[std::size_t(worker)]->order({Order::Kind::Start, 0, {}}); }
void WorkerProcesses::give(int worker, std::uint64_t lease, const Frame& request) {
  all_[std::size_t(worker)]->order({Order::Kind::Give, lease, request});
}
void WorkerProcesses::kill(int worker) { all_[std::size_t(worker)]->order({Order::Kind::Kill, 0, {}}); }

std::optional<WorkerEvent> WorkerProcesses::wait(double until) {
  std::unique_lock lock(events_->mutex);
  const double seconds = std::clamp(until - now(), 0.0, kLookAround);
  events_->ready.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return !events_->waiting.empty(); });
  if (events_->waiting.empty()) return std::nullopt;
  WorkerEvent event = std::move(events_->waiting.front());
  events_->waiting.pop_front();
  return event;
}

}  // namespace loom::process
