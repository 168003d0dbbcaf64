#pragma once

#include <optional>

#include "core/tune/space/count_limits.h"
#include "core/tune/space/pinned_counts.h"
#include "core/tune/space/residual.h"

namespace loom::tune {

/// A backtracking search for schedules of a space that is too large to be counted. A space has decisions with finite
/// domains, and constraints between them; a schedule is a value for each decision that breaks no constraint. Decisions
/// get values in their order; a value that breaks a constraint is taken back, and partial assignments without a
/// completion are remembered. Not all schedules are equally likely to be drawn: a schedule in a thinly populated part
/// of the space comes up more often.
class Descent {
 public:
  /// Prepares a search for the schedules that `pins` (the allowed values of each decision) allow. The space must be
  /// sound (problemOf returns nothing); it and the pins are copied. `known` keeps automata from one search of the space
  /// to the next, which these share, so that all of them must be of one thread; null: none are kept.
  Descent(const Space& space, const Pins& pins, KnownResiduals* known = nullptr);
  Descent(Descent&&) noexcept;
  ~Descent();

  /// Returns a schedule, trying values in a random order. The search starts again at the first decision after 2,000
  /// dead ends, which are remembered. Returns nothing, and no error, if the pins allow no schedule. Fails with
  /// `TooManyNodes`, `TooLong` or `Stopped` at the limits, of which `nodes` bounds what all calls together remember and
  /// the others are for this call, or with `CountOverflow` if numbers get too large. After a failure it may be called
  /// again.
  Result<std::optional<Assignment>> draw(Random& random, const CountLimits& limits = {});
  /// Returns the first schedule in the order of values, or nothing if the pins allow none. So it tells without a count
  /// whether there is a schedule. Fails as `draw` does, and shares what is remembered with it.
  Result<std::optional<Assignment>> first(const CountLimits& limits = {});

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;  // null: the pins allow no schedule, as is seen at once
};

}  // namespace loom::tune
