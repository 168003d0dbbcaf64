#pragma once

#include <string_view>

#include "core/tune/rules/plan.h"
#include "core/tune/space/pins.h"

namespace loom::tune {

/// The end of the names of decisions that say into how many parts a sum, or another reduction, is split, each part
/// computed by thread blocks of its own (split-K).
inline constexpr std::string_view kSumParts = "sum.parts";

/// A step of a construction: decisions that got their values together, and why.
struct ConstructionStep {
  std::vector<std::string> decisions;  ///< names of the decisions
  std::vector<std::int64_t> values;    ///< value of each of these decisions
  Message words;                       ///< what was decided: "a block computes 128 × 64 results"
  Message reason;                      ///< why, with the figure that improved, before and after
};

/// A schedule that was constructed from a sketch, which is a schedule with open decisions, by giving values to one
/// decision after another, not searched.
struct Construction {
  int sketch = 0;                       ///< index in RulePlan::sketches
  Assignment assignment;                ///< a value for each decision of the sketch's space
  std::vector<ConstructionStep> steps;  ///< in the order in which decisions were made
};

/// Constructs a good schedule of the sketch with index `sketch` in RulePlan::sketches, as Roller does: the tile of a
/// block first, then the tiles within it, each as large as the decisions before it allow. Needs no GPU and less than a
/// second. Only values that `pins` (limits on the values of the sketch's decisions) allow are taken; null: all are
/// allowed. Fails with `NoSchedule` if the sketch has no schedule with such values, and with the error of
/// Descent::first (core/tune/space/descent.h), such as `TooLong`, if none is found in time.
Result<Construction> construct(const RulePlan& plan, int sketch, const model::Device& device,
                               const Pins* pins = nullptr);

}  // namespace loom::tune
