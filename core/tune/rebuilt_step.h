#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/tune/candidate_steps.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns a candidate for the next step at state `node` of a history: it schedules the program at state `base`, which
/// is on the path to `node`, by a sketch (step lines with open decisions) with these values of its decisions. Its lines
/// are applied at `base`; if that isn't `node` itself, the candidate is an edit that replaces all steps since.
/// `moves` (what the lines do so that copies and products overlap) and `primitives` (those that the lines call) become
/// the members of CandidateStep with these names. Returns nothing if a line is refused, or the lines make no kernel;
/// why isn't told. Both states must exist, and `assignment` has a value for each decision of the sketch.
std::optional<CandidateStep> rebuiltStep(const document::History& history, int node, int base, const Sketch& sketch,
                                         const Assignment& assignment, std::vector<PipelineMove> moves,
                                         std::vector<std::string> primitives, const schedule::Environment& environment);

}  // namespace loom::tune
