// What a state remembers of the steps that led to it.
#pragma once
#include "core/schedule/state.h"

namespace loom::schedule {

struct State::History {
  std::shared_ptr<const History> previous;
  std::vector<Binding> names;
  std::vector<Origin> origins;
};

}  // namespace loom::schedule
