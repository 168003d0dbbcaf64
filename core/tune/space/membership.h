#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/tune/space/pins.h"

namespace loom::tune {

/// Why an assignment is no schedule of a space.
struct Exclusion {
  int decision = -1;    ///< whose domain lacks the value; -1: not about a domain
  int constraint = -1;  ///< that forbids the values; -1: not about one constraint
  Message words;        ///< "k step 4 is not in {8, 16}"; "shared memory: 245760 is more than 232448"
};

/// Whether values of some or all decisions are part of a schedule of a space.
struct Membership {
  std::vector<Exclusion> exclusions;  ///< every decision and constraint that excludes it by itself; empty: none does
  Result<bool> isMember = false;      ///< fails where that could not be found out within the limits
};

/// Asks whether `values`, by the names of decisions, can be completed to a schedule. Names that the space lacks
/// exclude. If no decision or constraint excludes them alone but all together do, that is the only exclusion.
Membership membershipOf(const Space& space, const std::map<std::string, std::int64_t>& values);

}  // namespace loom::tune
