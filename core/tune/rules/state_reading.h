#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/schedule/state.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// Returns the values that a schedule has for the decisions of a sketch (a schedule with open decisions, such as tile
/// sizes, here of a matrix product), by the decisions' names, in the units of the decisions' domains. The values are
/// read from the program `now` that the schedule leads to, not from its step lines: tile factors from the loops around
/// the block that computes and their bindings, copies from storage scopes, vectors and paddings from the blocks that
/// write them, stages from annotations. So names of loops, and the order of steps, don't matter; blocks are known by
/// their names. `begin` is the unscheduled program of the sketch. Values may lie outside a decision's domain. Decisions
/// that `now` doesn't show are left out. Returns an empty map if nothing is scheduled, no block computes the product,
/// or rows and columns have become several iterators each, as in schedules by lanes of warps.
std::map<std::string, std::int64_t> decisionsOf(const Sketch& sketch, const schedule::State& begin,
                                                const schedule::State& now);
/// Returns the values that step lines contain (decisionsIn, read_back.h), and in their place those that the program
/// `now`, to which the lines lead from `begin`, shows: what a state is counts more than what its lines are called.
/// Returns an empty map if there are no lines.
std::map<std::string, std::int64_t> decisionsOf(const Sketch& sketch, const std::vector<std::string>& lines,
                                                const schedule::State& begin, const schedule::State& now);

}  // namespace loom::tune
