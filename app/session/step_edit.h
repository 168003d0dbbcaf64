#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/preview.h"
#include "core/document/history.h"

namespace loom::session {

/// The effect that replacing the line of an earlier step of the schedule would have; the history itself doesn't change.
/// A state is the program after a step, given by its index in the history, the tree of all states. States have the same
/// index before and after the edit; deleted ones keep theirs.
struct StepEditReport {
  int node = 0;                  ///< the state whose step is edited
  std::string line;              ///< the new line of the step
  bool ready = false;            ///< whether `refusal`, or else the fields from there to `history`, have been filled in
  std::optional<Error> refusal;  ///< why the new line is refused; the fields below are then empty
  /// Indices of the states whose program would differ, ascending; without those that would be deleted.
  std::vector<int> changed;
  /// A later step that would no longer apply. Its state and all descendants of that state would be deleted.
  struct RefusedStep {
    int node = 0;  ///< the state that the step leads to
    int gone = 0;  ///< number of states that descend from `node`
    Error error;   ///< why the step would no longer apply
  };
  std::vector<RefusedStep> broken;                   ///< all such steps
  std::shared_ptr<const document::History> history;  ///< the history after the edit; null with a `refusal`
  /// The predicted time of a state before and after the edit.
  struct Effect {
    int node = 0;
    PredictedEffect effect;  ///< the two predicted times, in µs, with the device that they are for
    bool compiles = false;   ///< whether a prediction from machine code is being made, which may contradict `effect`
  };
  /// The effects on at most two states, ascending by index: on the current state if it is the edited one or descends
  /// from it, or else on the edited one; and on the last state that Navigation::stepForward reaches from there. If the
  /// edit would delete one of these, the edited state takes its place. They are filled in later, predicted from the
  /// programs as written; then again from machine code, if there is a compiler and the state's program is a single
  /// kernel both before and after the edit. A state is missing if it is no kernel before the edit, or none after it.
  /// There are none if the device that predictions are for isn't described.
  std::vector<Effect> effects;
  /// A state that is a kernel now and would be none after the edit.
  struct NoKernel {
    int node = 0;
    Error error;  ///< why the state would be no kernel
  };
  /// Those of the states of `changed` that would be no kernel any more, ascending by index; nothing until they have
  /// been found, which takes longer than the fields up to `history`.
  std::optional<std::vector<NoKernel>> noKernels;
};

/// Returns the report on replacing the step of `node` by `line`, without `effects` and `noKernels`; a refusal if `node`
/// is 0, the start, which has no step. The function applies the steps of every state that descends from `node` again.
StepEditReport stepEditReport(const document::History& history, int node, const std::string& line,
                              const schedule::Environment& environment);

/// Returns for each state of the history the median time, in µs, that was measured or recorded; negative if it has
/// none. Times of different devices aren't comparable, so only those of the device with the most times count.
std::vector<double> measuredTimes(const document::History& history, const Results& results);
/// Returns the path from the start to the fastest state; empty if no state has a time. `microseconds` has one entry for
/// each state of the history, negative if the state has no time. Deleted states don't count.
std::vector<int> bestPath(const document::History& history, const std::vector<double>& microseconds);

/// The edit of a step of the past, while a person is still changing its line. The report on it is made in the
/// background; Edits::applyStepEdit then replaces the history. Any change of the history ends the edit. Jobs may use
/// the object until Jobs::end, which must be called before it is destroyed.
class StepEdit {
 public:
  /// The object keeps references to all arguments, which must outlive it.
  StepEdit(Jobs& jobs, Tools& tools, ModelDevice& device, Compilations& compilations, Models& models,
           Navigation& navigation, Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        compilations_(compilations),
        models_(models),
        navigation_(navigation),
        documents_(documents) {}

  /// Starts making the report on replacing the step of `node` by `line`. A later call replaces an earlier one;
  /// repeating the same call has no effect. Nothing happens while no program is open.
  void show(int node, const std::string& line);
  /// Returns the report as far as it has been made, valid until the next `show`, `end` or `follow`; null while no step
  /// of the past is being edited, and as soon as the history has changed. Session::poll fills in further fields, on the
  /// UI thread.
  const StepEditReport* report() const;
  /// Ends the edit; `report` then returns null. Jobs that run aren't waited for: their results are dropped.
  void end();
  /// Ends the edit in the same way if the history has changed. To be called once a frame.
  void follow();

 private:
  bool isCurrent() const { return changes_ == documents_.changes() && target_ == jobs_.target(); }
  void predict(std::uint64_t order, std::shared_ptr<const document::History> before, const std::vector<int>& places);
  void compile(std::uint64_t order, int node, document::KernelText before, document::KernelText after,
               const std::string& deviceName);

  Jobs& jobs_;
  Tools& tools_;
  ModelDevice& device_;
  Compilations& compilations_;
  Models& models_;
  Navigation& navigation_;
  Documents& documents_;
  std::optional<StepEditReport> report_;
  std::uint64_t changes_ = 0, target_ = 0;  ///< Documents::changes and Jobs::target that `report_` is for
  std::atomic<std::uint64_t> order_ = 0;    ///< number of the latest report; jobs of an earlier one are out of date
};

}  // namespace loom::session
