#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "core/tune/space/pins.h"

namespace loom::tune {

/// Why no schedule has a value: what would have to go for it to live. Any one entry suffices, so that several entries
/// are alternatives, never "the reason".
struct WhyDead {
  std::vector<int> constraints;  ///< without any one of these the value lives
  std::vector<int> pins;         ///< decisions: without any one of these pins it lives
  std::vector<std::pair<int, int>>
      pairs;               ///< without both constraints of a pair it lives; sought if nothing above does
  bool isAlive = false;    ///< a schedule has the value: nothing to explain
  bool isComplete = true;  ///< false: stopped, or a trial took too long, so that reasons may be missing

  /// Returns true if removing one or two things never revives the value.
  bool nothingFound() const { return !isAlive && constraints.empty() && pins.empty() && pairs.empty(); }
};

/// Tries a space without each constraint, without each pin, then without pairs of constraints, and looks each time for
/// a schedule that has the value. Pins of the decision itself do not count. Takes microseconds to tens of milliseconds
/// a trial, so it belongs in the background; `stop` true ends it early.
WhyDead whyDead(const Space& space, const Pins& pins, int decision, std::int64_t value, const std::atomic<bool>& stop);

}  // namespace loom::tune
