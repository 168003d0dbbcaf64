#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tune/candidate_steps.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the step that schedules the program at `base`, on the path to the state `node`, by a sketch with these
/// values: lines at that program, and where it isn't the state itself an edit of all steps since. `moves` and
/// `primitives` are what it is said to do. Nothing where a line is refused, or the lines make no kernel.
std::optional<CandidateStep> rebuiltStep(const document::History& history, int node, int base, const Sketch& sketch,
                                         const Assignment& assignment, std::vector<PipelineMove> moves,
                                         std::vector<std::string> primitives, const schedule::Environment& environment);

}  // namespace loom::tune
