#pragma once

#include "core/tune/rules/built.h"

namespace loom::tune {

/// Of the time that the model predicted before: a schedule that takes more of it is not taken in its place.
inline constexpr double kBetter = 0.99;

/// Decides anew what the construction had no formula for (Decision::leftToModel), one decision after another until none
/// changes: each goes up or down its values as long as the model of the program predicts less time. Where something
/// became better, `built` becomes the better schedule, and its construction has a step more. `built` has a predicted
/// time; the rest is as for `buildAll`.
void decideByModel(const RulePlan& plan, const schedule::State& state, const model::Device& device,
                   const schedule::Environment& environment, Built& built);

}  // namespace loom::tune
