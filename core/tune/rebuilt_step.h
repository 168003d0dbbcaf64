#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tune/candidate_steps.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the candidate that schedules the program at state `base`, on the path to state `node`, by a sketch with
/// these values. Its lines are applied at `base`; if that isn't `node` itself, the candidate is an edit that replaces
/// all steps since. `moves` and `primitives` become the members of the same name. Returns nothing if a line is refused,
/// or the lines make no kernel.
std::optional<CandidateStep> rebuiltStep(const document::History& history, int node, int base, const Sketch& sketch,
                                         const Assignment& assignment, std::vector<PipelineMove> moves,
                                         std::vector<std::string> primitives, const schedule::Environment& environment);

}  // namespace loom::tune
