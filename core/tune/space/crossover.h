#pragma once

#include <optional>
#include <vector>

#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// Returns a child of two schedules, valid by construction, as Heron makes it. Of the key decisions, those that matter
/// most, one is freed, which is the mutation; each other one has the value of either parent; all other decisions are
/// free. Among the schedules that this leaves each is drawn with the same probability. Returns nothing if there is
/// none, which cannot be while the parents are schedules of the space that `pins` allows. An empty `keys` draws from
/// all that the pins allow.
std::optional<Assignment> childOf(const Diagram& diagram, const Pins& pins, const Assignment& mother,
                                  const Assignment& father, const std::vector<int>& keys, Random& random);

/// Returns the schedules that differ from `schedule` in one decision alone, at most one for each value: its neighbours.
std::vector<Assignment> neighboursOf(const Space& space, const Assignment& schedule);

/// Returns a schedule in which one decision has another value, and each other one, in the order of decisions, the value
/// nearest to that of `schedule` which the ones before it leave: a wider tile has fewer blocks, and fewer stages where
/// shared memory asks for it. Returns nothing if no schedule has the value, or where telling takes too long.
std::optional<Assignment> movedTo(const Space& space, const Assignment& schedule, int decision, std::int64_t value);

}  // namespace loom::tune
