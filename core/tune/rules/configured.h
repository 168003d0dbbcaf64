#pragma once

#include "core/document/configurations.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the sketch of a lesson's configurations: their lines, and their decisions as a space without constraints,
/// its words in `language`. Fails with `SketchError` where a line names none of the decisions, or with `SpaceError`.
Result<Sketch> sketchOf(const document::Configurations& configurations, const std::string& language);

/// Returns the combinations of all values of a small space that break no constraint, in the order of their values,
/// those of the last decision changing first.
std::vector<Assignment> allSchedules(const Space& space);

/// Returns a schedule as it is named in recordings and printed: "bx=2 by=16".
std::string nameOf(const Space& space, const Assignment& schedule);

}  // namespace loom::tune
