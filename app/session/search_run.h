#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/session/models.h"
#include "app/session/navigation.h"
#include "app/session/search_state.h"
#include "core/process/worker_pool.h"
#include "core/tune/search/run.h"

namespace loom::session {

/// The user's settings for a search. Changed budgets take effect at the next round of a search that runs, everything
/// else at the next start.
struct SearchChoice {
  /// The strategies (ways to choose the next schedules to measure), which search one after another, each from the
  /// beginning and with the same budget, so that they can be compared.
  std::vector<tune::Strategy> strategies{tune::Strategy::Funnel};
  int trials = 200;  ///< schedules that each strategy measures at most
  /// Device time, in seconds, that each strategy may use; with several workers, the sum over their devices. A round
  /// that has begun is finished.
  double deviceSeconds = 60;
  tune::RuleChoices rules{};  ///< what the user allows rules to do; the panel Plan uses it, too
  /// Commands that start workers, as `tune --workers` takes them, several separated by ";": "ssh host tileloom worker
  /// ×4", which starts four. Empty: the session's own device measures.
  std::string workers = {};
  friend bool operator==(const SearchChoice&, const SearchChoice&) = default;
};

/// The latest known state of a search's workers, the processes that measure, and of the queue of their jobs.
struct SearchWorkers {
  std::vector<std::string> commands;           ///< shell command that started the worker, by worker
  std::vector<process::WorkerStatus> workers;  ///< what the worker does, by worker
  std::vector<process::WorkerTally> tallies;   ///< numbers of jobs done and lost so far, by worker
  process::QueueStatus queue;                  ///< the jobs of the round that is being measured
  process::PoolLimits limits;                  ///< how long jobs and starts of workers may take
  bool isOver = false;                         ///< whether the workers have ended, because the search has
};

/// The search over the schedules that rules make of the open program (core/tune/search). It draws schedules and ranks
/// them by predicted time on the thread of Queue::kSearch, and measures on that of Queue::kBench. Without a device it
/// only ranks. The current state is the program after the schedule steps that the user has applied or gone to. Only the
/// UI thread may call the functions, and must call `end` before the object is destroyed.
class SearchRun {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  SearchRun(Jobs& jobs, Tools& tools, ModelDevice& device, Models& models, Navigation& navigation, Documents& documents)
      : jobs_(jobs), tools_(tools), device_(device), models_(models), navigation_(navigation), documents_(documents) {}

  /// Returns the settings of searches.
  const SearchChoice& choice() const { return choice_; }
  /// Changes the settings of searches; a search that runs takes only the budgets.
  void choose(SearchChoice choice);
  /// Starts a search of the open program in the background and ends the one before, as `end` does. The winner's path
  /// will begin at the current state. Nothing happens without an open program, before the device is known, or if no
  /// strategy is chosen.
  void start();
  /// Ends the search after the running round, keeps what it has found, and explains the winner. While it is being
  /// explained, ends that with what is known by then.
  void stop();
  /// Explains the winner once more, with a path from the state that is current now. Nothing happens while a search runs
  /// or its winner is being explained, or if no search of the open program has found a schedule.
  void explain();
  /// Returns what the last search of the open program has found so far; null before its first search. The object is a
  /// new one whenever something has changed.
  std::shared_ptr<const SearchState> state() const { return state_; }
  /// Returns what the search is doing; empty if it does nothing, or if that isn't known.
  const Message& progress() const { return progress_; }
  /// Returns the workers of the last search; null if it had none.
  std::shared_ptr<const SearchWorkers> workers() const { return workers_; }
  /// Returns whether the search ends after the running round, because `stop` was called.
  bool isStopping() const;
  /// Returns whether a search runs or its winner is being explained.
  bool isRunning() const { return state_ && (state_->isRunning || state_->isExplaining); }

  /// Ends the search at once without an explanation, and keeps what was found; a round that is being measured is lost.
  void end();
  /// Ends the search and drops what was found, because another program is open.
  void reset();

 private:
  struct Live;     // what the UI thread and the thread of the search share while a search runs
  struct Request;  // a copy of everything that a search needs
  class Job;       // a search or an explanation on the thread of Queue::kSearch

  std::shared_ptr<const Request> request() const;

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Models& models_;
  Navigation& navigation_;
  Documents& documents_;
  SearchChoice choice_;
  std::shared_ptr<Live> live_;
  std::shared_ptr<const SearchState> state_;
  std::shared_ptr<const SearchWorkers> workers_;
  Message progress_;
};

}  // namespace loom::session
