#pragma once

#include "core/tune/rules/built.h"
#include "core/tune/space/diagram.h"

namespace loom::tune {

/// What a search starts from: the sketches that rules make of a program, counted, and the schedules that are
/// constructed from them.
struct PreparedSearch {
  model::Device device;
  RulePlan plan;
  std::vector<Built> built;                     ///< the best first; at least one
  std::vector<std::optional<Diagram>> counted;  ///< of each sketch; nothing: too large to be counted

  /// Returns the number of schedules of all sketches together; nothing if one isn't counted.
  std::optional<Count> schedules() const;
};

/// Applies the rules, `own` among them and as the user's `choices` allow, to a program, counts the spaces, and builds a
/// schedule of each sketch. Takes up to a second. Errors: those of `sketchOf` and `buildAll`.
Result<PreparedSearch> prepareSearch(const schedule::State& start, model::Device device,
                                     const schedule::Environment& environment, std::span<const OwnRule> own = {},
                                     const RuleChoices& choices = {});

}  // namespace loom::tune
