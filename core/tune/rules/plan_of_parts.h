#pragma once

#include <functional>
#include <vector>

#include "core/schedule/environment.h"
#include "core/tune/rules/plan.h"

namespace loom::tune {

/// Plans a program of several parts (program_parts.h), those of `state`: each is planned by itself with `planned`, and
/// all but one are scheduled as constructed. The part that is predicted to take longest stays open: sketches are those
/// of its plan, with the lines of the others before and after, whose predicted time they have as quantity "others.ns".
/// Sketches whose lines don't go together with these are left out. Fails with `NoRule` where rules make no kernel of a
/// part, or no sketch is left.
Result<RulePlan> planOfParts(const schedule::State& state, const std::vector<schedule::State>& parts,
                             const model::Device& device, const schedule::Environment& environment,
                             const std::function<Result<RulePlan>(const schedule::State&)>& planned);

}  // namespace loom::tune
