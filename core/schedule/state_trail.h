// What a state remembers of the steps that led to it. This is not the history of a document (core/document/history.h).
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

// One step of what a state remembers. A state without steps has none.
struct StateTrail {
  std::shared_ptr<const StateTrail> previous;  // of the state before the step; null for the first
  std::vector<State::Binding> names;           // that the step assigned
  std::vector<Origin> origins;                 // of what the step made

  // One link after another: each ending the one before it from inside its own end would overflow the stack after
  // some hundred thousand steps.
  ~StateTrail() {
    while (previous && previous.use_count() == 1) {
      auto before = std::move(const_cast<StateTrail&>(*previous).previous);
      previous = std::move(before);
    }
  }
};

}  // namespace loom::schedule
