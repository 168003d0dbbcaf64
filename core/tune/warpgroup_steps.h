#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns the next steps with warpgroups of Hopper, by rule R18 (core/tune/rules). If the product of the state is
/// multiplied in another way, these are the schedule that R18 constructs and its simplest one, which computes one tile
/// without a pipeline. If the state is one of R18's schedules, they are the schedules that differ in one decision, set
/// to its next values, with everything else kept as far as possible, and the constructed one. All begin at the plain
/// program on the path to the state, so that at any later state they are edits of the past (CandidateStep::edited).
/// Returns nothing on other devices and for programs that R18 doesn't apply to. Deterministic; returns what it has
/// found so far once `stop` becomes true.
std::vector<CandidateStep> warpgroupSteps(const document::History& history, int node,
                                          const schedule::Environment& environment, const model::Device& device,
                                          const std::atomic<bool>& stop);

}  // namespace loom::tune
