#pragma once

#include <functional>

#include "core/schedule/environment.h"
#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Applies R15 to a whole program: if a product has few tiles for the multiprocessors and long sums, adds sketches in
/// which additional blocks sum parts of k, and a second kernel adds these sums (split-K). The lines that cut the sum
/// leave nothing open: `planned` returns what the other rules make of the program after them, in which the parts are a
/// batch.
void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned);

}  // namespace loom::tune
