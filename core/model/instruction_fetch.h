// What the instruction caches of a multiprocessor hold, and how fast warps get instructions that lie beyond. Figures of
// one loop of 1,024 to 24,576 multiplications, on an H200 (measured for this project, 2026-11-28).
#pragma once
#include "core/sass/kernel.h"

namespace loom::model {

// Returns the clocks from one instruction of a warp to the next in a loop that the caches allow: 1 where all of the
// loop's code, inner loops' too, fits the first of them.
double clocksOfFetch(const sass::Loop& loop);

// Warp instructions that a multiprocessor gets in a clock, all warps together, where a loop doesn't fit the first
// cache: 2.2 to 3.1 with eight to 32 warps, whether it fits the second one or not.
inline constexpr double kFetchedPerClock = 2.6;

}  // namespace loom::model
