// Random schedules that put a function on a GPU: tiles that rarely divide, thread bindings, copies in shared and local
// memory, vectors, and now and then nonsense. A line that a primitive refuses is left out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::exec {

struct RandomSchedule {
  std::string function;            // TVMScript
  std::vector<std::string> lines;  // those that were applied
  schedule::State last;
  std::string text() const;  // the lines as a schedule file
};

// The same for the same seed.
RandomSchedule randomSchedule(std::uint64_t seed);

}  // namespace loom::exec
