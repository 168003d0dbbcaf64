#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns what leads on by warpgroups of Hopper (R18 of `rules/`): at a state whose product is multiplied otherwise,
/// the schedule that R18 constructs and its simplest one, a tile without a ring; at a state that is in R18's space,
/// each decision set to its next values and everything else kept as far as it goes, and the constructed schedule. All
/// are steps from the plain program on the path to the state, so, but at that program itself, edits. Empty on other
/// devices and for programs that R18 doesn't apply to. Deterministic; returns what it has found so far once `stop`
/// becomes true.
std::vector<CandidateStep> warpgroupSteps(const document::History& history, int node,
                                          const schedule::Environment& environment, const model::Device& device,
                                          const std::atomic<bool>& stop);

}  // namespace loom::tune
