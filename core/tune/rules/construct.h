#pragma once

#include <string_view>

#include "core/tune/rules/plan.h"
#include "core/tune/space/pins.h"

namespace loom::tune {

/// How the names of decisions end that say in how many parts a sum is made, by blocks of their own.
inline constexpr std::string_view kSumParts = "sum.parts";

/// A step of a construction: decisions that got their values, and the number that became better by it.
struct ConstructionStep {
  std::vector<std::string> decisions;  ///< names
  std::vector<std::int64_t> values;    ///< of these
  Message words;                       ///< what was decided: "a block computes 128 × 64 results"
  Message reason;                      ///< the number before and after
};

/// A schedule that was built up, not searched.
struct Construction {
  int sketch = 0;  ///< index in RulePlan::sketches
  Assignment assignment;
  std::vector<ConstructionStep> steps;
};

/// Builds a good schedule in Roller's manner: the tile of a block first, then what is within it, each as large as
/// what is left allows. Needs no GPU and less than a second. Fails with `NoSchedule` where a sketch has no schedule.
/// Under `pins`, which are of the sketch's space, nothing else is decided than they allow; null: nothing is pinned.
Result<Construction> construct(const RulePlan& plan, int sketch, const model::Device& device,
                               const Pins* pins = nullptr);

}  // namespace loom::tune
