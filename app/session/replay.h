#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/preview.h"
#include "core/document/history.h"

namespace loom::workbench {

class Workbench;

/// A step of the past with other arguments, and what becomes of all that follows: worked out, not taken over yet.
struct Replay {
  int node = 0;
  std::string line;
  bool ready = false;
  std::optional<Error> refusal;  ///< of the step itself; then nothing follows
  std::vector<int> changed;      ///< states whose program differs, in the order of the tree
  /// A step that no longer applies. The state goes, and with it what follows.
  struct Broken {
    int node = 0;
    int gone = 0;  ///< states that follow it
    Error error;
  };
  std::vector<Broken> broken;
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
Replay replayOf(const document::History& history, int node, const std::string& line,
                const schedule::Environment& environment);

/// Of each state the median that was measured or recorded, µs, on the device that most are of: times of two devices are
/// no faster or slower than each other. Negative where there is none.
std::vector<double> measuredTimes(const Workbench& bench);
/// The fastest of the states that have a time, as a path from the start; empty where none has one. `microseconds` has
/// one per state, negative where there is none; deleted states don't count.
std::vector<int> bestPath(const document::History& history, const std::vector<double>& microseconds);

}  // namespace loom::workbench
