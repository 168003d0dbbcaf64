// A request to shared memory wavefront by wavefront.
#pragma once
#include <cstdint>
#include <vector>

#include "core/layout/request.h"

namespace loom::layout {

struct Wavefront {
  int phase = 0;            // whose lanes go together
  int number = 0;           // within it, from 0
  std::uint32_t lanes = 0;  // that it brings a word, or takes one from
  std::uint32_t banks = 0;  // at work
};
// In the order of `phases`, which are the request's. Of several words of one bank the lower address goes first: which
// the hardware takes first isn't published, how many wavefronts there are doesn't depend on it.
std::vector<Wavefront> wavefronts(const Request& request, const std::vector<Phase>& phases);

}  // namespace loom::layout
