// The names and origins that a state, a scheduled program, keeps from the steps which led to it: what each name in the
// schedule stands for, and what each loop, block and buffer was made from. This is not the history of a document
// (core/document/history.h).
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// One link of a list with a link for each step that assigned names or made something. A state points to its last link;
// a state without such steps has a null pointer. If several links have the same name, the last one counts.
struct StateTrail {
  std::shared_ptr<const StateTrail> previous;  // the link before; null for the first
  std::vector<State::Binding> names;           // the names that the step assigned
  std::vector<Origin> origins;                 // the origins of the loops, blocks and buffers that the step made

  // Destroys the links before this one in a loop: by recursion it would overflow the stack after some hundred thousand
  // steps.
  ~StateTrail() {
    while (previous && previous.use_count() == 1) {
      auto before = std::move(const_cast<StateTrail&>(*previous).previous);
      previous = std::move(before);
    }
  }
};

}  // namespace loom::schedule
