#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/session/navigation.h"
#include "app/session/programs.h"
#include "core/process/worker_pool.h"
#include "core/tune/search/run.h"
#include "core/tune/search/winner_path.h"

namespace loom::session {

/// What the user has chosen for a search. Budgets take effect at the next round of a search that runs.
struct SearchChoice {
  /// Several: a race. They search one after another, each from the beginning, within the same budget.
  std::vector<tune::Strategy> strategies{tune::Strategy::Funnel};
  int trials = 80;            ///< candidates that each strategy measures at most
  double deviceSeconds = 60;  ///< how long each strategy may use the device
  tune::RuleChoices rules{};  ///< what the user allows rules to do; the panel Plan asks its rules with it, too
  /// Commands that start workers, as `tune --workers` takes them, several separated by ";": "ssh host tileloom worker
  /// ×4". Empty: the session's own device measures.
  std::string workers = {};
  friend bool operator==(const SearchChoice&, const SearchChoice&) = default;
};

/// The workers of a search and the queue that feeds them, as they were seen last.
struct SearchWorkers {
  std::vector<std::string> commands;           ///< of each worker
  std::vector<process::WorkerStatus> workers;  ///< what each does
  std::vector<process::WorkerTally> tallies;   ///< what became of each until now
  process::QueueStatus queue;                  ///< of the round that is measured
  process::PoolLimits limits;
  bool isOver = false;  ///< whether their processes have ended with the search
};

/// A schedule that a search has looked at.
struct SearchedSchedule {
  tune::Origin origin = tune::Origin::Uniform;
  int sketch = 0;                               ///< index in PreparedSearch::plan
  tune::Assignment assignment;                  ///< of the sketch's space
  std::string lines;                            ///< step lines from the start, one a line
  std::optional<double> asWritten, asCompiled;  ///< predicted µs, of the program and of the machine code
  std::optional<double> measured;               ///< µs
  double deviceSeconds = 0;                     ///< that the search had used when it was measured
  std::optional<Error> death;                   ///< why it is no answer

  /// Returns the prediction to compare with a measured time: of the machine code if there is one.
  std::optional<double> predicted() const { return asCompiled ? asCompiled : asWritten; }
};

/// The search of one strategy.
struct StrategySearch {
  tune::Strategy strategy = tune::Strategy::Funnel;
  std::vector<SearchedSchedule> schedules;  ///< in the order in which they were drawn
  tune::SearchTally tally;
  std::size_t families = 0;            ///< ranked by the formula before any schedule was drawn
  double formulaSeconds = 0;           ///< that this took
  std::optional<double> formulaError;  ///< as the errors below; nothing where there are no pairs
  std::optional<std::size_t> best;     ///< the fastest, or the one predicted fastest where nothing is measured

  /// Returns the median of |predicted / measured − 1| of one model; nothing where there are no pairs.
  std::optional<double> errorAsWritten() const;
  std::optional<double> errorAsCompiled() const;
  /// Returns the best time so far after each measurement that improved it: device seconds and µs.
  std::vector<std::pair<double, double>> bestSoFar() const;
  /// Returns how many schedules died of what: a code, with the message of one of them.
  std::map<std::string, std::pair<int, Message>> deaths() const;
};

/// The winner of a search, explained.
struct SearchedWinner {
  tune::WinnerPath path;
  std::vector<tune::DecisionWorth> worth;
  std::vector<model::Advice> binds;  ///< what the model says of the winner
  std::optional<Error> unmeasured;   ///< why its times are predictions though a device was asked; else nothing
};

/// Everything that is known of the last search.
struct SearchState {
  std::string device;      ///< name of the device that predictions are for
  bool hasDevice = false;  ///< whether candidates are measured; else predictions only
  bool isOnCpu = false;    ///< measured by the CPU executor, whose times say nothing of a GPU
  bool isRunning = false;
  std::shared_ptr<const tune::PreparedSearch> prepared;  ///< null until rules have been applied, or with a problem
  double preparing = 0;                                  ///< seconds that this took
  std::vector<std::shared_ptr<const StrategySearch>> searches;  ///< of each strategy that has begun, in their order
  std::optional<Error> problem;                                 ///< why the search ended early
  std::shared_ptr<const SearchedWinner> winner;                 ///< null until it has been explained
  bool isExplaining = false;                                    ///< whether `winner` is being made or measured

  /// Returns the search with the best schedule of all, and that schedule; null and null where there is none.
  std::pair<const StrategySearch*, const SearchedSchedule*> best() const;
};

/// The search over the schedules that rules make of the open program (core/tune/search). It draws and ranks on a thread
/// of its own and measures on the thread of the bench. Without a device it only ranks.
class SearchRun {
 public:
  SearchRun(Jobs& jobs, Tools& tools, ModelDevice& device, Programs& programs, Navigation& navigation,
            Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        programs_(programs),
        navigation_(navigation),
        documents_(documents) {}

  const SearchChoice& choice() const { return choice_; }
  void choose(SearchChoice choice);
  /// Starts a search of the open program in the background and ends the one before. The winner's path will begin at the
  /// current state. Nothing happens before the device is known.
  void start();
  /// Ends the search after the running round; what was found stays, and its winner is explained.
  void stop();
  /// Explains the winner once more, with a path from the state that is current now. Nothing happens while a search runs
  /// or before the first one.
  void explain();
  /// Returns what was found; null before the first search. Stays the same object until something has changed.
  std::shared_ptr<const SearchState> state() const { return state_; }
  /// Returns what the search is doing; empty when it does nothing, or that isn't known.
  const Message& progress() const { return progress_; }
  /// Returns the workers of the last search; null if it had none.
  std::shared_ptr<const SearchWorkers> workers() const { return workers_; }
  /// Returns whether the search ends after the running round, because `stop` was called.
  bool isStopping() const;
  /// Returns whether it searches or explains.
  bool isRunning() const { return state_ && (state_->isRunning || state_->isExplaining); }

  /// Ends the search without an explanation, and keeps what was found.
  void end();
  /// Ends the search and drops what was found, because another program is open.
  void reset();

 private:
  struct Live;     // what both threads look at while a search runs
  struct Request;  // what a search is of
  class Job;

  std::shared_ptr<const Request> request() const;

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Programs& programs_;
  Navigation& navigation_;
  Documents& documents_;
  SearchChoice choice_;
  std::shared_ptr<Live> live_;
  std::shared_ptr<const SearchState> state_;
  std::shared_ptr<const SearchWorkers> workers_;
  Message progress_;
};

}  // namespace loom::session
