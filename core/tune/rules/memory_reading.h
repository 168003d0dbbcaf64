#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values that the scheduled program `now` has for decisions of a sketch (a schedule with open decisions),
/// by the decisions' names: those of rule R21 (how many neighbouring results along x and y a thread computes, elements
/// that it loads or stores at once, and 0 or 1: whether its registers hold the whole windows of its results, which are
/// the elements that a result is made of, or one row of the windows at a time) and of R22 (elements of a tile in shared
/// memory along x and y, elements loaded or stored at once, elements of padding of a row). x is the axis of the last
/// dimension of what the block writes; y is another axis of it: for R21 one along which windows overlap, for R22 the
/// axis of the last dimension of what the block reads. applications.h lists the rules. The values are read from loops,
/// bindings and storage scopes, not from step lines; `begin` is the unscheduled program. They may lie outside a
/// decision's domain, decisions that `now` doesn't show are left out, and names that the sketch lacks may occur:
/// `decisionsOf` (state_reading.h), which calls this, drops those. Empty if the sketch has no decisions of R21 or R22,
/// or if no loop of `now` stands around the blocks that they are about.
std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const schedule::State& begin,
                                                       const schedule::State& now);

}  // namespace loom::tune
