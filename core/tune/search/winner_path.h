#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/advice.h"
#include "core/tune/search/measurer.h"
#include "core/tune/search/prepared.h"

namespace loom::tune {

/// A schedule on the way to a winner, or beside it.
struct PathState {
  Assignment assignment;
  std::string lines;                                   ///< step lines, one a line
  std::shared_ptr<const document::KernelText> kernel;  ///< never null
  std::optional<double> predicted;                     ///< microseconds, of the program as written
  std::optional<double> measured;                      ///< microseconds; in the same run as all others of its path
};

/// What changes between two states of a path. Usually this is one decision; several change at once if the space has no
/// schedule between them, the rules no kernel, or the run no time.
struct PathStep {
  std::vector<int> decisions;  ///< indices in the sketch's space, ascending
  /// Why not one alone: the words of a constraint that one of them would break, or what became of the kernels between.
  /// Empty for one decision.
  Message together;
};

/// The way from a schedule to the winner of a search, each step as small a change as leads to a schedule.
struct WinnerPath {
  int sketch = 0;                 ///< of the winner: an index in RulePlan::sketches
  bool isFromOwn = false;         ///< begins at the person's schedule, not at the construction
  std::vector<PathState> states;  ///< the last one is the winner; at least one
  std::vector<PathStep> steps;    ///< between them, one less
  bool isMeasured = false;        ///< whether the times are measured; else they are predicted from the program

  /// Returns a state's time in microseconds, of the kind that `isMeasured` says; nothing where there is none.
  std::optional<double> timeOf(std::size_t state) const;
  /// Returns how many times faster the state after a step is than the one before; nothing where a time is missing.
  std::optional<double> gainOf(std::size_t step) const;
  /// Returns how many times faster the winner is than the first state: the product of all gains.
  std::optional<double> gain() const;
};

/// A person's schedule.
struct OwnProgram {
  std::vector<std::string> lines;  ///< step lines from the program on
  std::string key;                 ///< KernelText::key; empty: it is no kernel
};

/// Finds a path: at each state, of all smallest changes towards the winner that are schedules of the space and make a
/// kernel, the one that is predicted to be the fastest. It begins at the person's schedule if that is one of the
/// winner's sketch, or else at the sketch's construction. Takes about a second. Fails as `linesOf` and `madeByLines` do
/// for the winner, and as `construct` does.
Result<WinnerPath> pathTo(const PreparedSearch& prepared, const schedule::State& start,
                          const schedule::Environment& environment, int sketch, const Assignment& winner,
                          const OwnProgram& own);

/// A value beside the winner's, all other decisions as the winner has them. Where that is no schedule, as of a factor
/// of a product that must stay, one other decision changes, too: the one that is predicted to be the fastest.
struct NeighbourValue {
  std::int64_t value = 0;
  int with = -1;                   ///< index of the other decision that changes; -1: none does
  std::optional<PathState> state;  ///< nothing: it is no schedule, or makes no kernel
  Message problem;  ///< the words of a constraint that it breaks, or what became of its kernel; empty: nothing is wrong
};

/// What a decision of the winner is worth: the times with the next lower and the next higher value.
struct DecisionWorth {
  int decision = 0;                    ///< index in the sketch's space
  std::vector<NeighbourValue> values;  ///< at most two, ascending
};

/// Looks at the neighbours of each decision of a path's winner. Predictions only.
std::vector<DecisionWorth> worthOfDecisions(const PreparedSearch& prepared, const schedule::State& start,
                                            const schedule::Environment& environment, const WinnerPath& path);

/// Measures all states of a path, and the neighbours of `worth`, in one run, and returns the seconds that it took on
/// the device. A state without a time leaves the path, and the steps around it become one. Errors, after which the path
/// stays predicted: those of Measurer::measure, and what became of its first state or of the winner without a time.
Result<double> measurePath(WinnerPath& path, std::vector<DecisionWorth>& worth, Measurer& measurer,
                           const gpu::Progress& progress);

/// Returns what the model says of a kernel, of several of the slowest: what binds it, and what costs time. Empty where
/// the model finds nothing.
std::vector<model::Advice> whatBinds(const document::KernelText& kernel, const model::Device& device);

}  // namespace loom::tune
