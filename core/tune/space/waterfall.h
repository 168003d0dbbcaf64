#pragma once

#include <vector>

#include "core/tune/space/diagram.h"

namespace loom::tune {

/// How constraints shrink a space, one after the other in the space's order. The share that one takes depends on that
/// order, so it is also counted alone.
struct Waterfall {
  struct Row {
    Result<Count> after;  ///< schedules that the constraints up to this one leave; fails where that is not counted
    Result<Count> alone;  ///< schedules that this constraint alone leaves
  };
  Result<Count> raw = Count{0};  ///< the product of the sizes of all domains; fails with `CountOverflow`
  std::vector<Row> rows;         ///< by constraint
};

/// Counts a space 2 n times, for n constraints, within the limits each: hundreds of milliseconds, in the background.
Waterfall waterfallOf(const Space& space, const CountLimits& limits = {});

}  // namespace loom::tune
