#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "core/tune/space/pins.h"

namespace loom::tune {

/// Why no schedule of a space (a value for each decision that breaks no constraint) has a value of a decision: the
/// constraints and pins (limits on the values of decisions) without which some schedule would have it. Any one entry
/// suffices, so that several entries are alternatives, not one reason together.
struct WhyDead {
  std::vector<int> constraints;  ///< indices of constraints; without any one of them some schedule has the value
  std::vector<int> pins;         ///< indices of pinned decisions; without any one of these pins some schedule has it
  /// Pairs of constraints; without both some schedule has the value. Sought only if the lists above are empty.
  std::vector<std::pair<int, int>> pairs;
  bool isAlive = false;    ///< whether a schedule has the value, so that there is nothing to explain
  bool isComplete = true;  ///< false: entries may be missing, because the search was stopped or a trial was given up

  /// Returns whether the value is in no schedule and no entry was found.
  bool nothingFound() const { return !isAlive && constraints.empty() && pins.empty() && pairs.empty(); }
};

/// Tries a space without each constraint, without each pin, then without pairs of constraints, and looks each time for
/// a schedule in which `decision` has `value`. Pins of the decision itself are ignored. A trial takes microseconds to
/// tens of milliseconds, and is given up after 0.5 s, or if it remembers too much or its numbers get too large. So the
/// function belongs on a background thread; when `stop` becomes true, it ends early.
WhyDead whyDead(const Space& space, const Pins& pins, int decision, std::int64_t value, const std::atomic<bool>& stop);

}  // namespace loom::tune
