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
#include "app/session/winner_stalls.h"
#include "core/process/worker_pool.h"
#include "core/tune/search/run.h"
#include "core/tune/search/winner_path.h"

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

/// A schedule that a search has drawn from the space of schedules. A sketch is a schedule that rules have made of the
/// program, with its tile sizes, pipeline stages and other numbers left open; these are its decisions.
struct SearchedSchedule {
  tune::Origin origin = tune::Origin::Uniform;  ///< how the search came to draw the schedule
  int sketch = 0;                               ///< index of the schedule's sketch in PreparedSearch::plan
  tune::Assignment assignment;                  ///< the values of the sketch's decisions, in their order
  std::string lines;                            ///< the step lines from the start, separated by line breaks
  std::optional<double> asWritten, asCompiled;  ///< predicted times in µs: from the program, and from its machine code
  std::optional<double> measured;               ///< measured time in µs; nothing: not measured
  /// Device time, in seconds, that the search had used when this schedule had been measured first. The time of a round
  /// counts as spread evenly over its schedules. 0 if it wasn't measured.
  double deviceSeconds = 0;
  std::optional<Error> death;  ///< why the schedule can't be the result; nothing: it can

  /// Returns the prediction to compare with a measured time, in µs: from the machine code, or else from the program;
  /// nothing if there is neither.
  std::optional<double> predicted() const { return asCompiled ? asCompiled : asWritten; }
};

/// The search of one strategy.
struct StrategySearch {
  tune::Strategy strategy = tune::Strategy::Funnel;
  std::vector<SearchedSchedule> schedules;  ///< in the order in which they were drawn
  tune::SearchTally tally;                  ///< numbers of schedules that came through each stage
  std::size_t families = 0;   ///< number of families (same tile and stages) that a formula ranked before any was drawn
  double formulaSeconds = 0;  ///< seconds that this ranking took
  std::optional<double> formulaError;  ///< median of |formula / measured − 1|; nothing: there is none
  std::optional<std::size_t> best;     ///< index in `schedules` of the fastest, or if none is measured, by prediction

  /// Returns the median of |predicted / measured − 1| over the measured schedules, for the predictions `asWritten`;
  /// nothing if no schedule has both times.
  std::optional<double> errorAsWritten() const;
  /// Returns the median of |predicted / measured − 1| over the measured schedules, for the predictions `asCompiled`;
  /// nothing if no schedule has both times.
  std::optional<double> errorAsCompiled() const;
  /// Returns a pair for each measured schedule that was faster than all before it, those with a `death` left out: its
  /// `deviceSeconds`, and the time in µs.
  std::vector<std::pair<double, double>> bestSoFar() const;
  /// Returns the numbers of schedules with a `death`, by its error code, each with the message of one of them.
  std::map<std::string, std::pair<int, Message>> deaths() const;
};

/// The explanation of a search's winner, the fastest schedule.
struct SearchedWinner {
  /// Schedules from the user's own or a constructed one to the winner, each changed in as few decisions as possible
  /// from the one before, with their times.
  tune::WinnerPath path;
  std::vector<tune::DecisionWorth> worth;  ///< by decision: times of the schedules that differ from the winner in it
  /// The largest share by which the times of one schedule differ, the one that the search measured and that of the path
  /// or of `worth`; 0 if none was measured twice.
  double noise = 0;
  std::vector<model::Advice> binds;     ///< the model's advice on the winner: what limits it
  std::vector<model::Advice> bindsOwn;  ///< that on WinnerPath::own; empty if there is none
  std::optional<Error> unmeasured;      ///< why the times of `path` are predictions in spite of a device
  /// The models of the path's states and of WinnerPath::own, by machine code where they compile, by KernelText::key;
  /// empty until `hasModels`. A state may have none, if the user stopped, or replaced the history, meanwhile.
  std::map<std::string, std::shared_ptr<const StateModel>> models;
  bool hasModels = false;  ///< whether `models` are made
  bool isByCode = false;   ///< whether predicted times are those of machine code; else those of the program as written
  /// Samples of what the warps of measured states waited for, by KernelText::key; as many as have been taken, by the
  /// profiler of this machine.
  std::map<std::string, SampledWarps> stalls;
  bool isSampling = false;         ///< whether further samples are being taken
  std::optional<Error> unsampled;  ///< why samples are missing: there is no profiler, or it failed
};

/// Everything that is known of the last search.
struct SearchState {
  std::string device;      ///< name of the device that predictions are for
  bool hasDevice = false;  ///< whether schedules are measured; if not, they are only predicted. Known with `prepared`
  bool isOnCpu = false;    ///< whether the CPU executor measures, whose times say nothing of a GPU
  bool isRunning = false;
  /// The sketches that the rules have made, with their numbers of schedules; null until they are made, or if none is.
  std::shared_ptr<const tune::PreparedSearch> prepared;
  double preparing = 0;                                         ///< seconds that applying the rules took
  std::vector<std::shared_ptr<const StrategySearch>> searches;  ///< by strategy that has begun, in the order chosen
  std::optional<Error> problem;                  ///< why the search ended early, or why its winner can't be explained
  std::shared_ptr<const SearchedWinner> winner;  ///< null until it has been explained
  bool isExplaining = false;                     ///< whether `winner` is being made, measured, modelled or sampled

  /// Returns the search with the best schedule of all, and that schedule: the fastest measured one, or if none is
  /// measured the fastest by prediction; both null if there is none. The pointers are into this state.
  std::pair<const StrategySearch*, const SearchedSchedule*> best() const;
  /// The vendor's library beside the schedules of the search.
  struct Vendor {
    double microseconds = 0;  ///< its median time
    std::string name;         ///< "cuBLASLt", and how it multiplies (gpu::vendorMode) unless it keeps all digits
  };
  /// Returns the time of the vendor's library; nothing if it wasn't measured, or if the CPU executor measures, whose
  /// times say nothing of a GPU.
  std::optional<Vendor> vendor() const;
  /// Returns the largest share by which a time that the search measured differs from another one of the same schedule,
  /// from `again`: measured µs by step lines. 0 if it measured none of them.
  double largestDifference(const std::map<std::string, double>& again) const;
  /// Returns how many other schedules were measured to take as long as the best one, but for the share `noise` of its
  /// time; 0 if that one isn't measured. A schedule that several strategies have found counts once.
  int tiedWithBest(double noise) const;
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
