#pragma once

#include <functional>

#include "core/schedule/environment.h"
#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// R15 for a whole program: where a product has few tiles for the multiprocessors and long sums, adds sketches in which
/// blocks of their own sum parts of k, and a second kernel these sums. The lines that cut the sum leave nothing open:
/// `planned` returns what the other rules make of the program after them, where a part is a batch.
void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned);

}  // namespace loom::tune
