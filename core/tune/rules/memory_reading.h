#pragma once

#include <map>
#include <string>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values that the scheduled program `now` has for decisions of a sketch (a schedule with open decisions),
/// by the decisions' names (Decision::name). Rule R21 decides how many neighbouring results along x and y a thread
/// computes, how many elements it loads or stores at once, and whether its registers hold the whole windows of its
/// results (1) or one row of the windows at a time (0); a window has the elements that a result is made of. Rule R22
/// decides how many elements a tile in shared memory has along x and y, how many are loaded or stored at once, and how
/// many pad a row. x is the axis of the last dimension of what the block writes; y is another of the block's axes: for
/// R21 one along which windows overlap, for R22 the axis of the last dimension of what the block reads. applications.h
/// lists the rules. The values are read from loops, bindings and storage scopes, not from step lines; `begin` is the
/// unscheduled program. They may lie outside a decision's domain, decisions that `now` doesn't show are left out, and
/// names that the sketch lacks may occur: `decisionsOf` (state_reading.h), which calls this, drops those. Empty if the
/// sketch has no decisions of R21 or R22, or if no loop of `now` stands around the blocks that they are about.
std::map<std::string, std::int64_t> decisionsForMemory(const Sketch& sketch, const schedule::State& begin,
                                                       const schedule::State& now);

}  // namespace loom::tune
