#pragma once

#include <optional>
#include <vector>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// Returns a child of two schedules, valid by construction, as Heron does. A schedule is a value for each decision of a
/// space that breaks no constraint; `diagram` holds all schedules of the space, and `pins` are the allowed values.
/// `keys` are indices of the decisions that matter most: one of them, chosen at random, may get any value, which is the
/// mutation; each other key decision has the value of one parent; all decisions that aren't keys are free. Each
/// schedule that fits and that `pins` allow is drawn with the same probability; with empty `keys` any schedule fits.
/// Returns nothing if no schedule fits, which can't be if both parents are schedules that the pins allow.
std::optional<Assignment> childOf(const Diagram& diagram, const Pins& pins, const Assignment& mother,
                                  const Assignment& father, const std::vector<int>& keys, Random& random);

/// Returns the neighbours of `schedule`: the schedules that differ from it in the value of exactly one decision.
std::vector<Assignment> neighboursOf(const Space& space, const Assignment& schedule);

/// Returns a schedule in which `decision` has `value`, and each other decision, in order, has the possible value
/// nearest to that of `schedule`, given the decisions before: a wider tile then has fewer blocks, and fewer stages if
/// shared memory is short. Returns nothing if no schedule has the value, or if none is found within 20 ms.
std::optional<Assignment> movedTo(const Space& space, const Assignment& schedule, int decision, std::int64_t value);

}  // namespace loom::tune
