// Warnings of steps that break the program although TVM accepts them. Such a step is applied, since its result is
// TVM's, but the user is warned.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// Returns the warnings of the step between two states, each once, as errors with the blocks and buffers concerned as
// subjects; their codes are
//   "UndeclaredVariable"  a block uses a variable that no loop around it declares any more: the program can't be run
//   "OutOfBounds"         an access leaves its buffer, because a guard was removed or never added
// A warning isn't repeated if before the step the same variable was undeclared already, or, for a read or a write
// outside of a buffer, if the same buffer was read or written outside, too.
std::vector<Error> warnings(const State& before, const State& after);

// Returns the first warning "UndeclaredVariable" of the step, after which the program has no meaning; nothing if there
// is none. Steps with such a warning are never proposed.
std::optional<Error> takesMeaning(const State& before, const State& after);

}  // namespace loom::schedule
