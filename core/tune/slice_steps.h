#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns a candidate for the next step at state `node` of a history (a state is a program after some scheduling
/// steps), if the matrix product of that state runs on CUDA cores in thread blocks and threads. The candidate is the
/// schedule that rule R15 (core/tune/rules) constructs from the unscheduled program on the path to the state, in which
/// each of the two thread blocks of a cluster sums a part of k. It replaces all steps since that program. Returns only
/// this candidate, or an empty vector: at a state that uses tensor cores or shares sums in a cluster already, on
/// devices that aren't Hopper GPUs (compute capability 9.0), for programs for which R15 makes no such schedule, if
/// `environment` has no tensor intrinsics, and if `stop` is true. Deterministic.
std::vector<CandidateStep> sliceSteps(const document::History& history, int node,
                                      const schedule::Environment& environment, const model::Device& device,
                                      const std::atomic<bool>& stop);

}  // namespace loom::tune
