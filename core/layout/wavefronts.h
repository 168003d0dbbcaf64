// Splits a request to shared memory into its wavefronts.
#pragma once
#include <cstdint>
#include <vector>

#include "core/layout/request.h"

namespace loom::layout {

// One wavefront: a pass over the banks of shared memory that moves at most one word of each bank.
struct Wavefront {
  int phase = 0;            // index in `phases` of the phase to which it belongs
  int number = 0;           // its number in the phase, from 0
  std::uint32_t lanes = 0;  // bit i is set if a word of lane i is moved
  std::uint32_t banks = 0;  // bit i is set if a word of bank i is moved
};
// Returns the wavefronts of a request in the order of its phases; none if no lane is active. `phases` are what `phases`
// (or `ldmatrixPhases`, request.h) returns for this request: groups of lanes whose words can be moved in the same
// wavefront. Words of one bank are moved by ascending address: the order in which the hardware takes them isn't
// published, but the number of wavefronts doesn't depend on it.
std::vector<Wavefront> wavefronts(const Request& request, const std::vector<Phase>& phases);

}  // namespace loom::layout
