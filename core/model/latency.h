// How long one warp alone takes for a pass through a loop of machine code: instructions issue in order, one a clock,
// each when its registers are ready, or more apart where its code doesn't fit the instruction caches
// (instruction_fetch.h). What this leaves out (control codes, register banks) is the error of the estimate.
#pragma once
#include "core/sass/kernel.h"

namespace loom::model {

// Clocks from issue to a usable result. Measured by many for Volta to Hopper: 4 for arithmetic, 22 to 33 for shared
// memory, 32 to 38 for L1, 200 to 280 for L2. Those of this table are the ones that the estimate was fitted with.
struct Latencies {
  double arithmetic = 4, half = 4, integer = 4, special = 20, tensor = 33;
  double shared = 23, ldmatrix = 33, global = 35;  // global: with its share of misses, see estimate.cpp
  double barrier = 60, branch = 8;
};

// Returns the clocks of one steady pass through the loop's own instructions, those of inner loops left out. With `loop`
// -1 it is for the code outside all loops. `missed` has, by instruction, the clocks that a global load takes beyond
// L1's; empty for none.
double passLatency(const sass::Kernel& sass, int loop, const Latencies& latencies,
                   const std::vector<double>& missed = {});

// The clocks that one instruction adds to a pass through the loop.
struct PassClocks {
  double issue = 0;
  double wait = 0;    // before it, for registers that aren't ready; after it, for a barrier or a branch
  int waitsFor = -1;  // the instruction that makes the register; itself for barriers and branches
};
// Returns these by instruction of the kernel; instructions outside the loop add nothing.
std::vector<PassClocks> passClocks(const sass::Kernel& sass, int loop, const Latencies& latencies,
                                   const std::vector<double>& missed = {});

}  // namespace loom::model
