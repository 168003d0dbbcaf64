#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns, at a state whose product CUDA cores multiply in blocks and threads, the schedule that R15 constructs from
/// the plain program on its path, with two blocks of a cluster that sum a part of k each: an edit of all steps since
/// that program. Returns nothing at a state that shares sums in a cluster already, on devices without clusters (before
/// compute capability 9.0), and for programs to which R15 doesn't apply in this way. Deterministic.
std::vector<CandidateStep> sliceSteps(const document::History& history, int node,
                                      const schedule::Environment& environment, const model::Device& device,
                                      const std::atomic<bool>& stop);

}  // namespace loom::tune
