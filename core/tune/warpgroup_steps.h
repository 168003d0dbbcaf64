#pragma once

#include <atomic>
#include <vector>

#include "core/model/device.h"
#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// Returns candidates for the next step at state `node` of a history (a state is a program after some scheduling
/// steps), which must exist. Each candidate is a whole schedule whose products are by wgmma, executed by warpgroups
/// (128 threads) of Hopper GPUs: rule R18 (core/tune/rules) writes such schedules for given values of its decisions
/// (tile sizes, numbers of pipeline stages, …).
///
/// If `node` isn't itself a schedule of R18, there are at most two candidates: the schedule with the values that the
/// rule's construction chooses, and the simplest one, in which each thread block computes one tile without a pipeline.
/// If `node` is one, the candidates are that constructed schedule and schedules near `node`, each of which makes one of
/// these changes and keeps the other decisions as far as they go with it: the next lower or higher value of one
/// decision; the most pipeline stages that fit; one of the four other tiles that take the shortest time by the formula
/// ProductFormula (core/tune/rules); warpgroups that take turns at tiles. A candidate of which a line is refused is
/// left out.
///
/// All candidates start at the first state on the path to `node` that R18 applies to, mostly the unscheduled program.
/// If that is a state before `node`, they are edits (CandidateStep::edited), which replace all steps since. Returns an
/// empty vector on other devices, if R18 applies to no state on the path, and if `environment` has no tensor
/// intrinsics. The result is deterministic, unless `stop` becomes true: then the candidates found so far are returned.
std::vector<CandidateStep> warpgroupSteps(const document::History& history, int node,
                                          const schedule::Environment& environment, const model::Device& device,
                                          const std::atomic<bool>& stop);

}  // namespace loom::tune
