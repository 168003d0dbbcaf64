// Random schedules that make GPU kernels of small random functions: split factors that rarely divide the extents,
// thread bindings, caches in shared and local memory, vectorized loops, and now and then steps without purpose. A line
// that a primitive refuses is left out.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::exec {

// A function and a schedule of it.
struct RandomSchedule {
  std::string function;            // the unscheduled function as TVMScript
  std::vector<std::string> lines;  // the step lines that were applied
  schedule::State last;            // the program after these
  std::string text() const;        // returns the step lines as one text
};

// Returns a random function and schedule; equal for equal seeds.
RandomSchedule randomSchedule(std::uint64_t seed);

}  // namespace loom::exec
