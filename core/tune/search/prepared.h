#pragma once

#include "core/tune/rules/built.h"
#include "core/tune/space/diagram.h"

namespace loom::tune {

/// The starting point of a search for a fast schedule: the sketches (schedules with open decisions) that rules write
/// for a program, their spaces (the decisions' values and constraints) counted, and the schedules constructed from
/// them.
struct PreparedSearch {
  model::Device device;
  RulePlan plan;
  std::vector<Built> built;                     ///< constructed schedules, in the order of buildAll; at least one
  std::vector<std::optional<Diagram>> counted;  ///< for each sketch: its space; nothing: too large to be counted

  /// Returns the number of schedules of all sketches together; nothing if one isn't counted, or the sum exceeds
  /// kMaxCount.
  std::optional<Count> schedules() const;
};

/// Applies the rules, including the user's rules `own`, to a program as the user's `choices` allow, counts the spaces
/// of the sketches, and constructs a schedule of each. `environment` must have intrinsics. Takes up to a second, and up
/// to another one for each space that is too large to be counted. Fails with `NoRule` if rules can't make a kernel of
/// the program, or none of the constructed schedules is one.
Result<PreparedSearch> prepareSearch(const schedule::State& start, model::Device device,
                                     const schedule::Environment& environment, std::span<const OwnRule> own = {},
                                     const RuleChoices& choices = {});

}  // namespace loom::tune
