// What a state remembers of the steps that led to it.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

struct State::History {
  std::shared_ptr<const History> previous;
  std::vector<Binding> names;
  std::vector<Origin> origins;

  // One link after another: each ending the one before it from inside its own end would overflow the stack after
  // some hundred thousand steps.
  ~History() {
    while (previous && previous.use_count() == 1) {
      auto before = std::move(const_cast<History&>(*previous).previous);
      previous = std::move(before);
    }
  }
};

}  // namespace loom::schedule
