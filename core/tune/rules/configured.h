#pragma once

#include "core/document/configurations.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns a lesson's configurations, the schedules that result from one list of step lines with different values, as
/// a sketch: the step lines, with open places for decisions, and a space of these decisions without constraints, worded
/// in `language` ("en", "zh"; any other: English). Fails with `SketchError` if a line can't be evaluated with the first
/// value of each decision, for instance because it names an unknown one, and with `SpaceError` if the decisions are
/// malformed.
Result<Sketch> sketchOf(const document::Configurations& configurations, const std::string& language);

/// Returns all schedules of a space (a value for each decision that breaks no constraint), by trying every combination
/// of values, so that the space must be small. The schedules are in the order of their values, with the last decision
/// changing fastest. Empty for a space without decisions.
std::vector<Assignment> allSchedules(const Space& space);

/// Returns the name of a schedule in recordings and reports, the values of all decisions: "bx=2 by=16". Empty for a
/// space without decisions.
std::string nameOf(const Space& space, const Assignment& schedule);

}  // namespace loom::tune
