#pragma once

#include "core/tune/rules/built.h"

namespace loom::tune {

/// The factor by which a schedule's predicted time must be smaller for it to replace another one: at most 0.99 times.
inline constexpr double kBetter = 0.99;

/// Improves the decisions for which the construction has no formula (Decision::leftToModel), one after another until
/// none changes: each moves up or down its values as long as the model predicts less time for the program. If a better
/// schedule is found, it replaces `built`, and its construction has one more step. `built` must have a predicted time;
/// the other parameters are as for `buildAll`.
void decideByModel(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                   const schedule::Environment& environment, Built& built);

}  // namespace loom::tune
