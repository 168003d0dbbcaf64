#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values that a schedule has for the decisions of a sketch (a schedule with open decisions) about
/// neighbouring results of a thread (rule R21) and transposed tiles (R22), by the decisions' names. The values are read
/// from the loops, bindings and storage scopes of the program `now` that the schedule leads to, not from its step
/// lines; `begin` is the unscheduled program. Empty if the sketch has no such decisions, or `now` has no loop around
/// their blocks.
std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const schedule::State& begin,
                                                       const schedule::State& now);

}  // namespace loom::tune
