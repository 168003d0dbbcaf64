#pragma once

#include <functional>

#include "core/schedule/environment.h"
#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Applies R15 to a whole program: if a product has few tiles for the multiprocessors and long sums, adds sketches to
/// the plan in which additional blocks sum parts of k, and a second kernel adds these sums (split-K). The lines that
/// split the sum leave no decision open; in the program after them the parts are a batch. `planned` returns the plan of
/// the other rules for that program. Whether sketches were added or not, the plan's rows say why. Does nothing if the
/// program has no product.
void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned);

}  // namespace loom::tune
