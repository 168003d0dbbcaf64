#pragma once

#include <optional>

#include "core/tune/space/count_limits.h"
#include "core/tune/space/pinned_counts.h"

namespace loom::tune {

/// Schedules of a space that is too large to be counted, found one at a time: decisions get values in their order, what
/// breaks a constraint is taken back, and keys from which nothing goes on are remembered. Draws are valid, but not all
/// alike: a schedule in a thinly populated part of the space comes up more often than one where many are.
class Descent {
 public:
  /// Counts under these pins. The space must be sound (`problemOf`).
  Descent(const Space& space, const Pins& pins);
  Descent(Descent&&) noexcept;
  ~Descent();

  /// Returns a schedule with values tried in a random order. Begins anew at the root after 2,000 dead ends, which are
  /// remembered. Returns nothing, and no error, if the space has no schedule; fails at the limits.
  Result<std::optional<Assignment>> draw(Random& random, const CountLimits& limits = {});
  /// Returns the first schedule in the order of values, or nothing if there is none: an answer to whether the space is
  /// empty that needs no count. Fails at the limits.
  Result<std::optional<Assignment>> first(const CountLimits& limits = {});

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;  // null: a pin leaves a decision without values
};

}  // namespace loom::tune
