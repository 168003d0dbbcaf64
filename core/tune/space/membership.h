#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tune/space/pins.h"

namespace loom::tune {

/// A reason why no schedule of a space has certain values. A space has decisions with finite domains, and constraints
/// between them; a schedule of the space is a value for each decision that breaks no constraint.
struct Exclusion {
  int decision = -1;    ///< index of the decision whose domain lacks the value; -1: the reason is another one
  int constraint = -1;  ///< index of the constraint that forbids the values; -1: no single constraint does
  Message words;        ///< "k step 4 is not in {8, 16}"; "shared memory: 245760 is more than 232448"
};

/// Whether values of some or all decisions are part of a schedule of a space.
struct Membership {
  std::vector<Exclusion> exclusions;  ///< all reasons; empty if `isMember` is true or fails
  /// Whether there is such a schedule. Fails with `TooLong` or `TooManyNodes` if the answer takes more time or memory
  /// than CountLimits (count_limits.h) allow by default, or with `CountOverflow` if numbers get too large.
  Result<bool> isMember = false;
};

/// Finds out whether `values`, by the names of decisions, can be completed to a schedule; decisions that `values` lacks
/// are free. Every name that the space lacks, every value outside its domain and every constraint that forbids the
/// values by itself is an exclusion. If there is none of these, but all constraints together forbid the values, the
/// only exclusion says so.
Membership membershipOf(const Space& space, const std::map<std::string, std::int64_t>& values);

}  // namespace loom::tune
