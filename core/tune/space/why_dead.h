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
  bool isAlive = false;  ///< whether a schedule with the value was found, so that there is nothing to explain
  /// False: the search was stopped or a trial was given up, so that entries may be missing, and the value may be alive
  /// although `isAlive` is false. True without `isAlive`: no schedule has the value.
  bool isComplete = true;

  /// Returns whether neither a schedule with the value nor an entry was found.
  bool nothingFound() const { return !isAlive && constraints.empty() && pins.empty() && pairs.empty(); }
};

/// Looks for a schedule in which `decision` has `value`: in the space as it is; if there is none, without each
/// constraint and without each pin; if that gives no entry, without each pair of constraints. Pins of the decision
/// itself are ignored. A trial takes microseconds to tens of milliseconds, and is given up after 0.5 s or at other
/// limits of Descent, so that the function belongs on a background thread; when `stop` becomes true, it ends early.
WhyDead whyDead(const Space& space, const Pins& pins, int decision, std::int64_t value, const std::atomic<bool>& stop);

}  // namespace loom::tune
