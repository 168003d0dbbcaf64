#pragma once

#include <vector>

#include "app/panels/performance/view/performance.h"
#include "app/panels/winner/view/waits.h"

namespace loom::session {

/// A part of why one kernel takes another measured time than another one: what warps do for more or less of the time.
struct Cause {
  TimeRow time;  ///< of two kernels: before and after
  /// The counts of the two kernels that moved in the direction that explains it, at most two: fewer bytes between
  /// shared memory and registers for fewer waits for shared memory. Empty if none is known to.
  std::vector<ComparedRow> figures;
};

/// Why one kernel takes another measured time than another one.
struct Causes {
  std::vector<Cause> with;     ///< at most three that moved as the whole time did, that which moved most first
  std::vector<Cause> against;  ///< at most three that moved the other way, likewise
};

/// Returns whether a part of the time that differs by `part` between two kernels accounts for some of the difference
/// `whole` of their times: at least a sixth of it. Both are in µs, with any sign.
bool accountsFor(double part, double whole);

/// Returns why the time of `after` is another than that of `before`: what warps wait for during more or less of it,
/// each by at least a sixth of the difference, and also for a larger or smaller share of it: what only grows or shrinks
/// with the time accounts for nothing, and neither does that warps issue. `modelBefore` and `modelAfter` have the
/// figures; null: they aren't known. Both empty if a kernel isn't sampled, or if times or clocks aren't known
/// (`timesOf`).
Causes causesOf(const TimedSamples& before, const TimedSamples& after, const StateModel* modelBefore,
                const StateModel* modelAfter);

}  // namespace loom::session
