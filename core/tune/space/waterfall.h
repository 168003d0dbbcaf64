#pragma once

#include <vector>

#include "core/tune/space/diagram.h"

namespace loom::tune {

/// The numbers of schedules that are left as constraints are added to a space, one after the other in the space's
/// order. A space has decisions with finite domains, and constraints between them; a schedule is a value for each
/// decision that breaks no constraint. The number that a constraint excludes depends on the order, so each constraint
/// is also counted alone. A number is an error if its count reaches a limit (`TooManyNodes`, `TooLong`, `Stopped`), is
/// too large to be exact (`CountOverflow`), or if the space is malformed (`SpaceError`); the others are counted all the
/// same.
struct Waterfall {
  struct Row {
    Result<Count> after;  ///< number of schedules that all constraints up to this one leave
    Result<Count> alone;  ///< number of schedules that this constraint alone leaves
  };
  Result<Count> raw = Count{0};  ///< number of assignments without any constraint
  std::vector<Row> rows;         ///< one for each constraint, in the space's order
};

/// Counts a space of n constraints 2 n + 1 times, each within `limits`. Takes hundreds of milliseconds for the spaces
/// that rules make, so it belongs on a background thread.
Waterfall waterfallOf(const Space& space, const CountLimits& limits = {});

}  // namespace loom::tune
