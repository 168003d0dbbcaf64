#pragma once

#include <functional>

#include "core/schedule/environment.h"
#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Applies rule R15 to the whole program `state`: if its last product (or similar contraction of two operands) has few
/// tiles for the multiprocessors and long sums, adds sketches, which are schedules with open decisions, to the plan, in
/// which additional thread blocks reduce parts of k, and a second kernel combines their results (split-K). A sum is
/// here the result of any reduction whose combiner has an identity, also of a maximum. The lines that split the sum
/// leave no decision open; in the program after them the parts are a batch. `planned` returns the plan of the other
/// rules for that program, whose first sketches, with their rows, are appended to those of `plan`. Whether sketches
/// were added or not, a row that is appended to RulePlan::rows says why. Does nothing if the program has no product.
void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned);

}  // namespace loom::tune
