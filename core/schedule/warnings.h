// What a step breaks although TVM accepts it. Its text is TVM's all the same, so it is applied, and said.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// Of the step between two states, each once, with blocks and buffers as subjects:
//   "UndeclaredVariable"  a block uses a variable that no loop around it declares any more: the program can't be run
//   "OutOfBounds"         an access leaves its buffer, since a guard went or never came
// What was so before the step isn't repeated.
std::vector<Error> warnings(const State& before, const State& after);

// The first of them that takes away the program's meaning ("UndeclaredVariable"); such a step is never proposed.
std::optional<Error> takesMeaning(const State& before, const State& after);

}  // namespace loom::schedule
