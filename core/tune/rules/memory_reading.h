#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values that a schedule has for a sketch's decisions about neighbouring results, several of which a
/// thread computes (rule R21), and transposed tiles (R22), by the decisions' names. A sketch is a schedule with open
/// decisions. The values are read from the loops, bindings and storage scopes of the program `now` that the schedule
/// leads to, not from its step lines; `begin` is the unscheduled program. Empty if the sketch has no such decisions, or
/// no block that they are about is in a loop of `now`.
std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const schedule::State& begin,
                                                       const schedule::State& now);

}  // namespace loom::tune
