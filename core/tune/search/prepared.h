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
  /// Constructed schedules, at least one, which all make a kernel: those that are expected to be fastest first
  /// (buildAll). Of each sketch there is at most one, whose number is Built::construction.sketch; sketches that give no
  /// kernel are left out.
  std::vector<Built> built;
  std::vector<std::optional<Diagram>> counted;  ///< by sketch of `plan`: its space; nothing: too large to count
  std::vector<NotBuilt> notBuilt;               ///< sketches of which `built` has none, in their order, with the reason

  /// Returns the number of schedules of all sketches together; nothing if one isn't counted, or the sum exceeds
  /// kMaxCount (count.h).
  std::optional<Count> schedules() const;
};

/// Applies the rules, including the user's rules `own`, to a program as the user's `choices` allow, counts the spaces
/// of the sketches, and constructs a schedule of each for `device`. `environment.intrinsics` must not be null. Takes up
/// to a second, and up to another one for each space that is too large to be counted. Fails with `NoRule` if no rules
/// fit the program, or if no sketch gives a kernel.
Result<PreparedSearch> prepareSearch(const schedule::State& start, model::Device device,
                                     const schedule::Environment& environment, std::span<const OwnRule> own = {},
                                     const RuleChoices& choices = {});

}  // namespace loom::tune
