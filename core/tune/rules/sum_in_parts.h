#pragma once

#include <functional>

#include "core/schedule/environment.h"
#include "core/tune/rules/draft.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Applies rule R15 (split-K) to the whole program `state`. If its last product (or other Contraction) has few tiles
/// for the multiprocessors and long sums, adds sketches (schedules with open decisions) in which further thread blocks
/// reduce parts of k, and a second kernel combines their results. A sum is here the result of any reduction whose
/// combiner has an identity, also of a maximum. For each of up to two numbers of parts, step lines without open
/// decisions make the parts a batch of the product, and `planned` returns the plan of the other rules for the program
/// after them. Its first sketch (its first two for a contraction that is `uneven` or has `further` operands), with
/// those lines before its own, is appended to `plan`, and its rows to RulePlan::rowsOf. A number of parts for which
/// `planned` fails or a line is refused adds nothing. One row is appended to RulePlan::rows, whether sketches were
/// added or not; it says why. Does nothing at all if the program has no product.
void addSumsInParts(RulePlan& plan, const schedule::State& state, const DeviceLimits& device,
                    const schedule::Environment& environment,
                    const std::function<Result<RulePlan>(schedule::State)>& planned);

}  // namespace loom::tune
