#pragma once

#include <optional>
#include <vector>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

// In this header a schedule is a value for each decision of a space, together breaking no constraint, and decisions are
// given by their indices in Space::decisions. Neither is checked.

/// Returns a child of two schedules, valid by construction, as the tuner Heron crosses schedules (constraint-based
/// genetic algorithm). `diagram` holds all schedules of the space, and `pins` are the allowed values. `keys` are the
/// decisions that matter most: one of them, chosen at random, may get any value, which is the mutation; each other key
/// decision has the value of either parent, whatever those before have; all decisions that aren't keys are free. Each
/// schedule that fits and that `pins` allow is drawn with the same probability; with empty `keys` any schedule fits.
/// Returns nothing if no schedule fits, which can't be if both parents are schedules that the pins allow.
std::optional<Assignment> childOf(const Diagram& diagram, const Pins& pins, const Assignment& mother,
                                  const Assignment& father, const std::vector<int>& keys, Random& random);

/// Returns the neighbours of `schedule`, the schedules that differ from it in the value of exactly one decision, in the
/// order of decisions and of their values; empty if there is none.
std::vector<Assignment> neighboursOf(const Space& space, const Assignment& schedule);

/// Returns a schedule in which `decision` has `value` (the value itself, not its index), and each other decision, in
/// order, has the value nearest to that of `schedule`, by the difference (of two equally near ones the first in
/// Decision::values), that is possible with `value` and the decisions before: a wider tile then has fewer blocks, and
/// fewer stages if shared memory is short. A value for which no schedule is found within 20 ms counts as impossible.
/// Returns nothing if `value` itself does, or is none of the decision's.
std::optional<Assignment> movedTo(const Space& space, const Assignment& schedule, int decision, std::int64_t value);

}  // namespace loom::tune
