// A pool of workers, processes that get their jobs from one queue. Jobs and answers are frames, each a JSON text and a
// blob of bytes; a process that starts is asked to introduce itself. A job is leased to one worker at a time. Its
// execution has a deadline, and its time in the queue has none. A job that is lost with its worker is tried once more,
// on another worker unless no other one is alive. The pool itself starts no process and reads no clock: it does both
// through `Workers`, so that a simulation can run the same code in virtual time.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/process/frame.h"

namespace loom::process {

// Something that happened to a worker.
struct WorkerEvent {
  // Started: the worker's process has started, and `frame` is its answer to the introduction. Progressed: `progress`
  // tells how far the worker's job is. Answered: `frame` is the answer to its job. Ended: the process has ended, or
  // couldn't be started, for the reason `why`.
  enum class Kind { Started, Progressed, Answered, Ended };
  Kind kind = Kind::Ended;
  int worker = 0;
  // The lease, as `give` had it, of the job that the process has got; 0 if it has none, also if it ended before a job
  // that was given to it reached it: that job then waits again as if it had been given to nobody.
  std::uint64_t lease = 0;
  Frame frame;
  std::optional<Error> error;  // Answered: what the worker, alive, reports in place of an answer
  Message progress;
  Message why;
};

// The worker processes of a pool, numbered from 0. No call but `wait` blocks.
class Workers {
 public:
  virtual ~Workers() = default;
  virtual int count() const = 0;   // the number of workers, which doesn't change
  virtual double now() const = 0;  // seconds of a clock that never goes back
  // Starts the process: Started or Ended follows.
  virtual void start(int worker) = 0;
  // Gives a process that has started a job: Progressed, any number of times, and then Answered or Ended follow, with
  // this lease; or Ended with the lease 0 if the process was gone before the job reached it.
  virtual void give(int worker, std::uint64_t lease, const Frame& request) = 0;
  // Kills the process: Ended follows, after what it may have said before.
  virtual void kill(int worker) = 0;
  // Waits for the next event. Returns nothing when the clock has reached `until`, or earlier, so that the caller can
  // look around.
  virtual std::optional<WorkerEvent> wait(double until) = 0;
};

// The limits of a pool.
struct PoolLimits {
  double jobSeconds = 20;     // how long a job may run without an answer or progress
  double startSeconds = 600;  // how long a start may take; a batch system may have the worker wait for a machine
  // The wait before a process that has ended is started again; doubled with each further end without an answer between.
  double backoffSeconds = 0.5;
  double backoffAtMost = 30;  // the longest wait before a start, in seconds
  int starts = 3;             // starts that fail in a row, after which the worker is taken out for good
};

// The outcome of one job.
struct JobResult {
  // Errors: "WorkerLost" (a process ended) or "Deadline" (none answered in time) if both attempts were lost, by how the
  // second one was; "NoWorker" (none is left), "Cancelled", and what a worker reports.
  Result<Frame> answer = fail("NoWorker", Message());
  int worker = -1;     // the worker that answered, or that lost the job last; −1: there is none
  double seconds = 0;  // for how long workers had the job
};

// What one worker has done so far.
struct WorkerTally {
  // The number of jobs that it answered, of jobs that were lost with its processes, and of processes that started.
  int answered = 0, lost = 0, started = 0;
  double busySeconds = 0;  // for how long it had a job
  Message out;             // why it was taken out of the pool; empty: it wasn't
  Message last;            // why its latest process ended; empty: none has ended
};

// What a worker does at one moment.
struct WorkerStatus {
  // Down: it will be started. Ending: it was killed, and its end hasn't been seen yet. Out: as WorkerTally::out.
  enum class State { Down, Starting, Idle, Busy, Ending, Out };
  State state = State::Down;
  std::size_t job = 0;      // Busy: an index in the jobs of the run
  std::uint64_t lease = 0;  // Busy: the number of its lease, counted from 1 over all runs
  bool again = false;       // Busy: whether the job was lost with a worker before
  double held = 0;          // Busy: seconds that it has had the job
  double left = 0;  // seconds until it is started (Down), or killed unless it starts or says something (Starting, Busy)
};

// How many jobs the run has that is under way, and how many of them are settled, that is, have a result. All numbers
// are 0 outside of runs.
struct QueueStatus {
  std::size_t jobs = 0, settled = 0;
  std::size_t waiting = 0;  // jobs that were given to no worker yet
  std::size_t lost = 0;     // jobs that were lost with a worker and wait for another one
};

// Functions by which the caller of a pool judges its workers. Each may be empty.
struct PoolJudge {
  // Returns why a worker that answered the introduction with this frame can't be used; an empty message if it can. Its
  // process is killed then, and that counts as a start that failed (PoolLimits::starts).
  std::function<Message(int worker, const Frame& introduction)> refused;
  // Returns whether a process that has given this answer must not get another job. It is killed then, and the worker
  // started again; the answer itself counts.
  std::function<bool(const Frame& answer)> spoiled;
  // Called before each wait for an event, when the jobs that there are have been given out.
  std::function<void()> turned = {};
};

// The pool. Not thread-safe, and neither `first` nor `run` may be called from a callback. The processes stay alive
// between runs, and after the pool, until `Workers` ends them.
class WorkerPool {
 public:
  // `workers` must outlive the pool.
  WorkerPool(Workers& workers, PoolLimits limits, PoolJudge judge = {});

  using Done = std::function<void(std::size_t job, const JobResult&)>;
  using Progress = std::function<void(std::size_t job, const Message&)>;

  // Waits until a worker has started and has no job, which may be so at once, and returns its number. Errors:
  // "NoWorker" (each was taken out; the message says why), "Cancelled".
  Result<int> first(std::stop_token stop = {});
  // Does all jobs and returns their results in the same order. `done` is called once for each job, as soon as it is
  // settled, and `progress` for each progress message of a worker, both on the thread that called `run`. `stop` ends
  // the run: jobs that aren't settled by then have the error "Cancelled", and workers that have one are killed.
  std::vector<JobResult> run(const std::vector<Frame>& jobs, const Done& done = {}, const Progress& progress = {},
                             std::stop_token stop = {});

  const std::vector<WorkerTally>& tallies() const { return tallies_; }
  // Return what each worker does now, and how far the run is. During `run` they may be called from its callbacks.
  std::vector<WorkerStatus> status() const;
  QueueStatus queue() const;

 private:
  enum class State { Down, Starting, Idle, Busy, Killed, Out };
  struct Worker {
    State state = State::Down;
    double due = 0;    // Down: when it is started; Starting, Busy: when it is killed
    int failures = 0;  // starts that failed, in a row
    int setbacks = 0;  // processes that ended without an answer, in a row
    std::uint64_t lease = 0;
    std::size_t job = 0;      // Busy: an index
    double since = 0;         // Busy: when the job began
    std::uint64_t stamp = 0;  // counts its states
  };
  struct Waiting {
    std::size_t job = 0;
    int lostWith = -1;  // the worker that lost it; −1: it is new
  };
  struct Timer {
    double when = 0;
    int worker = 0;
    std::uint64_t stamp = 0;  // the state that it is for
    bool operator>(const Timer& other) const { return when > other.when; }
  };

  void set(int worker, State state, double due);
  void begin();
  void turn();  // does what is due, waits for an event and does what it asks for
  void due(int worker, double now);
  void take(const WorkerEvent& event);
  void ended(int worker, bool begun, const Message& why);
  void lose(int worker, bool begun, const char* code, const Message& why);
  void feed();
  bool feed(int worker);
  void settle(std::size_t job, Result<Frame> answer, int worker);
  Message reasons() const;
  bool nobodyLeft() const { return out_ == int(all_.size()); }

  Workers& workers_;
  PoolLimits limits_;
  PoolJudge judge_;
  std::vector<Worker> all_;
  std::vector<WorkerTally> tallies_;
  std::set<int> idle_;
  int alive_ = 0, out_ = 0;  // idle or busy; taken out
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  std::uint64_t leases_ = 0;
  bool begun_ = false;

  // Of the run that is under way.
  const std::vector<Frame>* jobs_ = nullptr;
  const Done* done_ = nullptr;
  const Progress* progress_ = nullptr;
  std::vector<JobResult> results_;
  std::vector<bool> settled_;
  std::vector<Waiting> again_;  // lost once
  std::size_t next_ = 0;        // jobs from it on were given to nobody yet
  std::size_t open_ = 0;        // jobs that aren't settled
};

}  // namespace loom::process
