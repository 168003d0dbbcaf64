// A request to shared memory wavefront by wavefront.
#pragma once
#include <cstdint>
#include <vector>

#include "core/layout/request.h"

namespace loom::layout {

// One pass over the banks of shared memory.
struct Wavefront {
  int phase = 0;            // whose lanes go together
  int number = 0;           // within it, from 0
  std::uint32_t lanes = 0;  // that it brings a word, or takes one from
  std::uint32_t banks = 0;  // at work
};
// Returns the wavefronts of a request, in the order of its `phases`. Of several words of one bank the lower address
// goes first: the order in which the hardware takes them isn't published, but the number of wavefronts doesn't depend
// on it.
std::vector<Wavefront> wavefronts(const Request& request, const std::vector<Phase>& phases);

}  // namespace loom::layout
