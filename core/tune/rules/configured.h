#pragma once

#include "core/document/configurations.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns a lesson's configurations as a sketch: their step lines, with open places for decisions, and a space of
/// these decisions without constraints, worded in `language` ("en", "zh"). Fails with `SketchError` if a line can't be
/// evaluated, for instance because it names no decision, and with `SpaceError` if the decisions are malformed.
Result<Sketch> sketchOf(const document::Configurations& configurations, const std::string& language);

/// Returns all schedules of a space, by trying every combination of values, so that the space must be small. They are
/// in the order of their values, with the last decision changing fastest. Empty for a space without decisions.
std::vector<Assignment> allSchedules(const Space& space);

/// Returns the name of a schedule in recordings and reports, with the value of each decision: "bx=2 by=16".
std::string nameOf(const Space& space, const Assignment& schedule);

}  // namespace loom::tune
