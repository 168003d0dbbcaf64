#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/document/history.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values of a sketch's decisions that step lines have taken, by name: those lines that agree with a line
/// of the sketch in all but its open places tell what stands there, also where that is no value of the decision. Lines
/// of the sketch that are missing, changed or in another order tell nothing. Where a place holds an expression, the
/// decision that is left open in it gets the value of its domain that fits, if there is exactly one. Returns an empty
/// map if the lines are not of this sketch at all.
std::map<std::string, std::int64_t> decisionsIn(const Sketch& sketch, const std::vector<std::string>& lines);

/// Returns the step lines on the path to a state, from the start on.
std::vector<std::string> stepLines(const document::History& history, int node);

}  // namespace loom::tune
