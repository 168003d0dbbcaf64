// How fast warps get the instructions of loops that don't fit the instruction caches of a multiprocessor. The figures
// were measured for this project on an H200 (2026-11-28), with one loop of 1,024 to 24,576 multiplications.
#pragma once
#include "core/sass/kernel.h"

namespace loom::model {

// Returns the least number of clocks between two instructions of one warp in a loop: 1 if the code of the loop and its
// inner loops fits the first instruction cache, more if it fits only the second one, or none.
double clocksOfFetch(const sass::Loop& loop);

// The warp instructions that all warps of a multiprocessor together get per clock in a loop that doesn't fit the first
// instruction cache. 2.2 to 3.1 were measured with eight to 32 warps, whether or not the loop fits the second cache.
inline constexpr double kFetchedPerClock = 2.6;

}  // namespace loom::model
