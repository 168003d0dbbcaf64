// How fast warps get the instructions of loops that don't fit the instruction caches of a multiprocessor. The figures
// were measured for this project on an H200 (2026-11-28), with one loop of 1,024 to 24,576 multiplications, and are
// used for every device.
#pragma once
#include "core/sass/kernel.h"

namespace loom::model {

// Returns the least mean number of clocks from one instruction of a warp to its next one in a loop, as the caches allow
// it: 1 if the code of the loop, inner loops included, fits the first instruction cache (32 KB), 2.8 if it fits the
// second one (128 KB), else 5.9.
double clocksOfFetch(const sass::Loop& loop);

// The most warp instructions per clock that all warps of a multiprocessor together get in a loop that doesn't fit the
// first instruction cache (`clocksOfFetch` above 1). 2.2 to 3.1 were measured with eight to 32 warps, whether or not
// the loop fits the second cache.
inline constexpr double kFetchedPerClock = 2.6;

}  // namespace loom::model
