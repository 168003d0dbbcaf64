#include "core/process/worker_pool.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loom::process {

WorkerPool::WorkerPool(Workers& workers, PoolLimits limits, PoolJudge judge)
    : workers_(workers), limits_(limits), judge_(std::move(judge)) {
  all_.resize(std::size_t(workers.count()));
  tallies_.resize(all_.size());
}

// Every change of a worker's state goes through here, which keeps the counts and the timers.
void WorkerPool::set(int worker, State state, double due) {
  Worker& w = all_[std::size_t(worker)];
  const auto lives = [](State s) { return s == State::Idle || s == State::Busy; };
  alive_ += int(lives(state)) - int(lives(w.state));
  out_ += int(state == State::Out);
  if (w.state == State::Busy) tallies_[std::size_t(worker)].busySeconds += workers_.now() - w.since;
  if (state == State::Busy) w.since = workers_.now();
  state == State::Idle ? (void)idle_.insert(worker) : (void)idle_.erase(worker);
  w.state = state;
  w.due = due;
  ++w.stamp;
  if (state == State::Down || state == State::Starting || state == State::Busy) timers_.push({due, worker, w.stamp});
}

void WorkerPool::begin() {
  if (std::exchange(begun_, true)) return;
  for (std::size_t n = 0; n < all_.size(); ++n) set(int(n), State::Down, workers_.now());
}

void WorkerPool::due(int worker, double now) {
  Worker& w = all_[std::size_t(worker)];
  if (w.due > now) {
    timers_.push({w.due, worker, w.stamp});  // progress has moved its deadline
    return;
  }
  if (w.state == State::Down) {
    set(worker, State::Starting, now + limits_.startSeconds);
    workers_.start(worker);
  } else if (w.state == State::Starting) {
    ++w.failures;
    tallies_[std::size_t(worker)].last = message("it didn't start within {:g} s", limits_.startSeconds);
    set(worker, State::Killed, 0);
    workers_.kill(worker);
  } else if (w.state == State::Busy) {
    const Message why = message("no answer from the worker within {:g} s", limits_.jobSeconds);
    tallies_[std::size_t(worker)].last = why;
    lose(worker, true, "Deadline", why);
    set(worker, State::Killed, 0);
    workers_.kill(worker);
  }
}

// The job that a worker had goes to another one, or is dead if that is how it ended before.
void WorkerPool::lose(int worker, bool begun, const char* code, const Message& why) {
  Worker& w = all_[std::size_t(worker)];
  w.lease = 0;
  if (!begun) {
    // The process was gone before the job reached it.
    again_.push_back({w.job, -1});
    return;
  }
  ++tallies_[std::size_t(worker)].lost;
  JobResult& result = results_[w.job];
  result.seconds += workers_.now() - w.since;
  if (result.worker < 0) {
    result.worker = worker;
    again_.push_back({w.job, worker});
    return;
  }
  settle(w.job, fail(code, why, Forbids::Environment), worker);
}

void WorkerPool::ended(int worker, bool begun, const Message& why) {
  Worker& w = all_[std::size_t(worker)];
  WorkerTally& tally = tallies_[std::size_t(worker)];
  // Of one that was killed it is known why, and its job was lost then.
  if (w.state != State::Killed) tally.last = why;
  if (w.state == State::Busy) lose(worker, begun, "WorkerLost", why);
  if (w.state == State::Starting) ++w.failures;
  ++w.setbacks;
  if (w.failures >= limits_.starts) {
    tally.out = tally.last;
    set(worker, State::Out, 0);
    return;
  }
  const double wait = limits_.backoffSeconds * std::pow(2.0, std::min(w.setbacks - 1, 16));
  set(worker, State::Down, workers_.now() + std::min(wait, limits_.backoffAtMost));
}

void WorkerPool::take(const WorkerEvent& event) {
  Worker& w = all_[std::size_t(event.worker)];
  WorkerTally& tally = tallies_[std::size_t(event.worker)];
  const bool mine = w.state == State::Busy && w.lease == event.lease;
  switch (event.kind) {
    case WorkerEvent::Kind::Started: {
      if (w.state != State::Starting) return;
      if (const Message why = judge_.refused ? judge_.refused(event.worker, event.frame) : Message(); !why.empty()) {
        tally.last = why;
        ++w.failures;
        set(event.worker, State::Killed, 0);
        workers_.kill(event.worker);
        return;
      }
      ++tally.started;
      w.failures = 0;
      set(event.worker, State::Idle, 0);
      return;
    }
    case WorkerEvent::Kind::Progressed:
      if (!mine) return;
      w.due = workers_.now() + limits_.jobSeconds;
      if (progress_ && *progress_) (*progress_)(w.job, event.progress);
      return;
    case WorkerEvent::Kind::Answered: {
      // A late answer of a lost lease counts for nothing: the job is somebody else's, or was.
      if (!mine) return;
      w.setbacks = 0;
      w.lease = 0;
      ++tally.answered;
      const std::size_t job = w.job;
      results_[job].seconds += workers_.now() - w.since;
      const bool spoiled = !event.error && judge_.spoiled && judge_.spoiled(event.frame);
      set(event.worker, spoiled ? State::Killed : State::Idle, 0);
      if (spoiled) workers_.kill(event.worker);
      settle(job, event.error ? Result<Frame>(Failure(*event.error)) : Result<Frame>(event.frame), event.worker);
      return;
    }
    case WorkerEvent::Kind::Ended:
      if (w.state != State::Down && w.state != State::Out) ended(event.worker, event.lease != 0, event.why);
      return;
  }
}

void WorkerPool::settle(std::size_t job, Result<Frame> answer, int worker) {
  if (settled_[job]) return;
  settled_[job] = true;
  --open_;
  results_[job].answer = std::move(answer);
  results_[job].worker = worker;
  if (done_ && *done_) (*done_)(job, results_[job]);
}

bool WorkerPool::feed(int worker) {
  Worker& w = all_[std::size_t(worker)];
  // Another worker is better for what this one lost; where none is alive it has its second attempt here.
  const auto lost = std::ranges::find_if(again_, [&](const Waiting& x) { return x.lostWith != worker || alive_ == 1; });
  if (lost != again_.end()) {
    w.job = lost->job;
    again_.erase(lost);
  } else if (jobs_ && next_ < jobs_->size()) {
    w.job = next_++;
  } else {
    return false;
  }
  w.lease = ++leases_;
  set(worker, State::Busy, workers_.now() + limits_.jobSeconds);
  workers_.give(worker, w.lease, (*jobs_)[w.job]);
  return true;
}

void WorkerPool::feed() {
  for (auto it = idle_.begin(); it != idle_.end() && jobs_ && (!again_.empty() || next_ < jobs_->size());) {
    const int worker = *it;
    ++it;  // `feed` takes it out
    feed(worker);
  }
}

void WorkerPool::turn() {
  const double now = workers_.now();
  while (!timers_.empty() && timers_.top().when <= now) {
    const Timer timer = timers_.top();
    timers_.pop();
    if (timer.stamp == all_[std::size_t(timer.worker)].stamp) due(timer.worker, now);
  }
  feed();
  if (judge_.turned) judge_.turned();
  if (nobodyLeft()) return;
  const double until = timers_.empty() ? now + 1 : timers_.top().when;
  if (const auto event = workers_.wait(until)) take(*event);
}

std::vector<WorkerStatus> WorkerPool::status() const {
  constexpr WorkerStatus::State kStates[] = {WorkerStatus::State::Down,   WorkerStatus::State::Starting,
                                             WorkerStatus::State::Idle,   WorkerStatus::State::Busy,
                                             WorkerStatus::State::Ending, WorkerStatus::State::Out};
  const double now = workers_.now();
  std::vector<WorkerStatus> all;
  for (const Worker& w : all_) {
    WorkerStatus& s = all.emplace_back();
    s.state = kStates[std::size_t(w.state)];
    if (w.state == State::Down || w.state == State::Starting || w.state == State::Busy)
      s.left = std::max(0.0, w.due - now);
    if (w.state != State::Busy) continue;
    s.job = w.job;
    s.lease = w.lease;
    s.held = now - w.since;
    s.again = w.job < results_.size() && results_[w.job].worker >= 0;
  }
  return all;
}

QueueStatus WorkerPool::queue() const {
  if (!jobs_) return {};
  return {jobs_->size(), jobs_->size() - open_, jobs_->size() - next_, again_.size()};
}

Message WorkerPool::reasons() const {
  // Eight workers of one command fail for one reason: it is said once.
  std::vector<Message> said;
  Message all;
  for (const WorkerTally& tally : tallies_) {
    if (tally.out.empty() || std::ranges::find(said, tally.out) != said.end()) continue;
    said.push_back(tally.out);
    all = below(all, tally.out);
  }
  return all;
}

Result<int> WorkerPool::first(std::stop_token stop) {
  begin();
  for (;;) {
    for (std::size_t n = 0; n < all_.size(); ++n)
      if (all_[n].state == State::Idle) return int(n);
    if (nobodyLeft()) return fail("NoWorker", reasons(), Forbids::Environment);
    if (stop.stop_requested()) return fail("Cancelled", message("cancelled"), Forbids::Environment);
    turn();
  }
}

std::vector<JobResult> WorkerPool::run(const std::vector<Frame>& jobs, const Done& done, const Progress& progress,
                                       std::stop_token stop) {
  jobs_ = &jobs;
  done_ = &done;
  progress_ = &progress;
  results_.assign(jobs.size(), {});
  settled_.assign(jobs.size(), false);
  again_.clear();
  next_ = 0;
  open_ = jobs.size();
  begin();
  while (open_ > 0 && !nobodyLeft() && !stop.stop_requested()) turn();
  if (open_ > 0) {
    const bool cancelled = stop.stop_requested();
    for (std::size_t n = 0; n < all_.size(); ++n) {
      if (all_[n].state != State::Busy) continue;
      all_[n].lease = 0;
      set(int(n), State::Killed, 0);
      workers_.kill(int(n));
    }
    for (std::size_t job = 0; job < jobs.size(); ++job) {
      if (settled_[job]) continue;
      settle(job,
             cancelled ? fail("Cancelled", message("cancelled"), Forbids::Environment)
                       : fail("NoWorker", reasons(), Forbids::Environment),
             results_[job].worker);
    }
  }
  jobs_ = nullptr;
  done_ = nullptr;
  progress_ = nullptr;
  return std::move(results_);
}

}  // namespace loom::process
