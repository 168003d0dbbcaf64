#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/advice.h"
#include "core/tune/search/measurer.h"
#include "core/tune/search/own_schedule.h"

namespace loom::tune {

/// The decisions that change between two states of a path. Usually this is one decision; several change at once if no
/// schedule lies between the states, or if those between make no kernel or have no time.
struct PathStep {
  std::vector<int> decisions;  ///< indices in Space::decisions, ascending
  /// Why several decisions change at once: the words of a constraint that one of them alone would break, or why the
  /// kernels between failed. Empty for one decision.
  Message together;
};

/// A person's schedule from which no path leads to the winner, since the winner's sketch can't make it.
struct OffPath {
  std::shared_ptr<const document::KernelText> kernel;  ///< never null
  std::optional<double> predicted;                     ///< µs, predicted from the program; nothing: not predicted
  std::optional<double> measured;  ///< µs, in the same run as the states of the path; nothing: not measured, or failed
  Message why;                     ///< why the path doesn't begin at it
  Message failure;                 ///< why measuring it failed; empty: it didn't, or nothing was measured
  /// The values that it has for decisions of the winner's sketch (decisionsOf, state_reading.h), by index in
  /// Space::decisions; without those that it doesn't show.
  std::map<int, std::int64_t> values = {};
};

/// A path from a schedule to the winner of a search. Each step changes as few decisions as lead to another schedule.
struct WinnerPath {
  int sketch = 0;                 ///< index in RulePlan::sketches of the winner's sketch
  bool isFromOwn = false;         ///< whether the path begins at the person's schedule; else at the sketch's
                                  ///< constructed schedule
  std::vector<PathState> states;  ///< at least one; the last one is the winner
  std::vector<PathStep> steps;    ///< the step from each state to the next: one fewer than `states`
  bool isMeasured = false;        ///< whether the times are measured; else they are predicted from the program
  /// The sketch's constructed schedule, if the path begins at the person's; nothing: it doesn't, or none is
  /// constructed.
  std::optional<PathState> construction;
  /// The person's schedule, if it makes a kernel and the path doesn't begin at it; nothing: it does, or there is none.
  std::optional<OffPath> own;

  /// Returns the time, in µs, of the state with this index, measured or predicted as `isMeasured` says; nothing if the
  /// state has none. The index must be less than the number of states, for `gainOf` of steps.
  std::optional<double> timeOf(std::size_t state) const;
  /// Returns how many times faster the state after the step with this index is than the state before it; nothing if a
  /// time is missing.
  std::optional<double> gainOf(std::size_t step) const;
  /// Returns how many times faster the winner is than the first state; nothing if one of their times is missing.
  std::optional<double> gain() const;
  /// Returns the time, in µs, of `own`, measured or predicted as `isMeasured` says; nothing if there is none.
  std::optional<double> timeOfOwn() const;
};

/// Finds a path to the winner: an assignment of the sketch with index `sketch`. From each state the path takes, among
/// the smallest changes towards the winner that are schedules of the space and make a kernel, the one that is predicted
/// to be fastest. The path begins at the person's schedule, if it has values of the sketch's decisions (decisionsOf,
/// state_reading.h) with which the sketch makes the same kernel, or else at the sketch's constructed schedule (the one
/// of PreparedSearch::built, or, if that has none, the one of `construct`, construct.h); WinnerPath::own then says why.
/// `prepared` has the sketches and the device, and `start` is the unscheduled program. Takes about a second. Fails if
/// the step lines of the winner or of the constructed schedule are refused or make no kernel, and with `NoSchedule` if
/// none is constructed.
Result<WinnerPath> pathTo(const PreparedSearch& prepared, const schedule::State& start,
                          const schedule::Environment& environment, int sketch, const Assignment& winner,
                          const OwnProgram& own);

/// A neighbour of the winner: one decision has the next lower or higher value, all others are as in the winner. If that
/// is no schedule, for instance because the product of two factors is fixed, one other decision changes, too: the one
/// whose change is predicted to be fastest.
struct NeighbourValue {
  std::int64_t value = 0;
  int with = -1;                   ///< index of the other decision that changes; -1: none does
  std::optional<PathState> state;  ///< nothing: the value is in no schedule, or the schedule makes no kernel
  Message problem;  ///< the words of a constraint that is broken, or why the kernel failed; empty: nothing is wrong
};

/// The neighbours of the winner in one decision. The difference of their times to the winner's says what its value of
/// this decision is worth.
struct DecisionWorth {
  int decision = 0;                    ///< index in Space::decisions
  std::vector<NeighbourValue> values;  ///< at most two, ascending
};

/// Returns the neighbours of a path's winner in each decision that has several values, with predicted times.
std::vector<DecisionWorth> worthOfDecisions(const PreparedSearch& prepared, const schedule::State& start,
                                            const schedule::Environment& environment, const WinnerPath& path);

/// Measures all states of a path, WinnerPath::construction, WinnerPath::own, and the neighbours in `worth` (which may
/// be empty) that have a state, in one run, sets their measured times and WinnerPath::isMeasured, and returns the
/// device time in seconds. A state without a time is removed from the path, and the steps before and after it become
/// one; a neighbour without one stays, with the reason as its `problem`, and so does `own`, with the reason as its
/// `failure`. `progress` must not be empty. Fails with the measurer's error if nothing can be measured, also if it is
/// cancelled, and with the reason if the first state or the winner has no time; `path` and `worth` then stay as they
/// are.
Result<double> measurePath(WinnerPath& path, std::vector<DecisionWorth>& worth, Measurer& measurer,
                           const gpu::Progress& progress);

/// Joins each step of a measured path that makes the schedule slower, by three percent or more, with the steps behind
/// it up to the one that has won the loss back, since none of their gains is worth anything without the others;
/// PathStep::together then says so. A loss that no later step wins back stays a step of its own. `space` is that of the
/// path's sketch. The gains still make the total. Nothing happens if the path isn't measured.
void joinDetours(WinnerPath& path, const Space& space);

/// Returns the model's advice for the kernel of `kernel.program`, which must be set, or for the slowest of several: the
/// resource that limits it, and what costs time. Empty if the model finds nothing, or can't predict a time.
std::vector<model::Advice> whatBinds(const document::KernelText& kernel, const model::Device& device);

}  // namespace loom::tune
