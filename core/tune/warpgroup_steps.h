#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns candidates for the next step at state `node` of a history (a state is a program after some scheduling steps)
/// that multiply by wgmma, with warpgroups (128 threads) of Hopper GPUs. The candidates are schedules of rule R18,
/// which writes such schedules with some decisions open (core/tune/rules). If `node` multiplies in another way, there
/// are two: the schedule that R18 constructs, and the simplest one, in which each thread block computes one tile
/// without a pipeline. If `node` is a schedule of R18, there are schedules that keep its other decisions as far as
/// possible: with the next lower or higher value of one decision, or the most pipeline stages that fit; with some tiles
/// that are fastest by ProductFormula (core/tune/rules), a formula for times; with warpgroups that take turns at tiles;
/// and besides these the constructed schedule. All begin at the unscheduled program on the path to `node`, which must
/// be in the history, so that at any later state they are edits (CandidateStep::edited). Returns an empty vector on
/// other devices, for programs that R18 doesn't apply to, and if `environment` has no tensor intrinsics. The result is
/// deterministic, unless `stop` becomes true: then the candidates found so far are returned.
std::vector<CandidateStep> warpgroupSteps(const document::History& history, int node,
                                          const schedule::Environment& environment, const model::Device& device,
                                          const std::atomic<bool>& stop);

}  // namespace loom::tune
