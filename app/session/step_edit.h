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

/// A step of the past with other arguments, and what becomes of all that follows: worked out, not taken over yet.
struct StepEditReport {
  int node = 0;
  std::string line;
  bool ready = false;
  std::optional<Error> refusal;  ///< of the step itself; then nothing follows
  std::vector<int> changed;      ///< states whose program differs, in the order of the tree
  /// A step that no longer applies. The state goes, and with it what follows.
  struct RefusedStep {
    int node = 0;
    int gone = 0;  ///< states that follow it
    Error error;
  };
  std::vector<RefusedStep> broken;
  std::shared_ptr<const document::History> history;  ///< as it would be; null with a refusal
  /// What the model says of a state. None where before or after it is no kernel, or the device isn't described.
  struct Effect {
    int node = 0;
    PredictedEffect effect;
    bool compiles = false;  ///< it is soon told by machine code: as written the sign may be another
  };
  /// Comes after the above: of the state on show, if it follows and stays, else of the step's own; and of the end of
  /// its way.
  std::vector<Effect> effects;
  /// A state that is a kernel and, changed, would be none.
  struct NoKernel {
    int node = 0;
    Error error;
  };
  /// Comes last, of all that change, in the order of the tree; no value yet: not worked out.
  std::optional<std::vector<NoKernel>> noKernels;
};

/// A pure function; replays every state below `node`.
StepEditReport stepEditReport(const document::History& history, int node, const std::string& line,
                              const schedule::Environment& environment);

/// Of each state the median that was measured or recorded, µs, on the device that most are of: times of two devices are
/// no faster or slower than each other. Negative where there is none.
std::vector<double> measuredTimes(const document::History& history, const Results& results);
/// The fastest of the states that have a time, as a path from the start; empty where none has one. `microseconds` has
/// one per state, negative where there is none; deleted states don't count.
std::vector<int> bestPath(const document::History& history, const std::vector<double>& microseconds);

/// An edit of a step of the past, worked out in the background before it is taken over. Whatever changes the tree ends
/// it.
class StepEdit {
 public:
  StepEdit(Jobs& jobs, Tools& tools, ModelDevice& device, Compilations& compilations, Models& models,
           Navigation& navigation, Documents& documents)
      : jobs_(jobs),
        tools_(tools),
        device_(device),
        compilations_(compilations),
        models_(models),
        navigation_(navigation),
        documents_(documents) {}

  /// Works out what putting `line` in place of the step of `node` would do to all that follows; the latest call wins.
  void show(int node, const std::string& line);
  /// Null while no step of the past is being edited.
  const StepEditReport* report() const;
  void end();
  /// Ends the edit if the tree has changed. To be called once a frame.
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
  std::atomic<std::uint64_t> order_ = 0;    ///< of the latest; jobs that find another one are out of date
};

}  // namespace loom::session
