#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values of the decisions of neighbouring results (R21) and turned tiles (R22) that a schedule has taken,
/// read out of the state that it leads to as `decisionsOf` does; empty: the sketch has none of them.
std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const schedule::State& begin,
                                                       const schedule::State& now);

}  // namespace loom::tune
