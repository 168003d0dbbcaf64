#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values of a sketch's decisions that a schedule has taken, by name, read out of the state that it leads
/// to and not of its lines: tile factors out of the loops around the block that computes and what they are bound to,
/// copies out of scopes, vectors and paddings out of the blocks that write them, stages out of annotations. So names of
/// loops and blocks, and the order of steps, don't matter. `begin` is the plain program of the sketch. Values may be
/// none of the decision's. What the state doesn't tell is left out; empty: nothing is scheduled, no block is the
/// product's, or the sketch decides lanes of warps.
std::map<std::string, std::int64_t> decisionsOf(const Sketch& sketch, const schedule::State& begin,
                                                const schedule::State& now);

}  // namespace loom::tune
