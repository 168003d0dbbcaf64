#pragma once

#include "core/tune/rules/prepared_program.h"

namespace loom::tune {

/// Puts the loops of each block of the program `state`, and the block's iterators, into the order that the rules for
/// sketches ask for: those over results first, then those that a sum goes over, otherwise in the order of the loops as
/// written. So a sum over rows that is written row by row (`for k, j: Y[j] += X[k, j]`) is scheduled as one that is
/// written column by column. A block whose iterators aren't each a loop of its own, or whose steps are refused, stays
/// as it is. Returns the unchanged state, without lines, if no block changes or the program has several functions.
PreparedProgram loopsInOrder(const schedule::State& state, const schedule::Environment& environment);

}  // namespace loom::tune
