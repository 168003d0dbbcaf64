// What is known of a search: values that its thread makes, and that panels show.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/session/state_model.h"
#include "app/session/winner_stalls.h"
#include "core/tune/search/run.h"
#include "core/tune/search/winner_path.h"

namespace loom::session {

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
  /// SearchState::noiseOf the measured schedules of `path` and `worth`.
  double noise = 0;
  std::vector<model::Advice> binds;     ///< the model's advice on the winner: what limits it, by `models` once there
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
  /// Returns by how much two measured times of one schedule differ, as a share: of nine in ten of the schedules in
  /// `again` (another measured time in µs, by step lines) the time that the search measured differs by no more. 0 if it
  /// measured none of them.
  double noiseOf(const std::map<std::string, double>& again) const;
  /// Returns how many other schedules were measured to take as long as the best one, but for the share `noise` of its
  /// time; 0 if that one isn't measured. A schedule that several strategies have found counts once.
  int tiedWithBest(double noise) const;
};

}  // namespace loom::session
