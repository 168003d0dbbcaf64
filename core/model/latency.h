// How long one warp that runs alone takes for one iteration (a pass) of a loop of machine code. Instructions issue in
// order, at most one a clock, each when its registers are ready; in a loop that doesn't fit the instruction caches they
// issue further apart. Control codes and register banks are left out.
#pragma once
#include "core/sass/kernel.h"

namespace loom::model {

// Clocks from the issue of an instruction until its result can be used. Published measurements of Volta to Hopper have
// 4 for arithmetic, 22 to 33 for shared memory, 32 to 38 for L1, and 200 to 280 for L2. The estimate was fitted with
// the values below.
struct Latencies {
  double arithmetic = 4, half = 4, integer = 4, special = 20, tensor = 33;
  double shared = 23, ldmatrix = 33, global = 35;  // `global` is for a hit in L1
  double barrier = 60, branch = 8;                 // until the warp's next instruction
};

// Returns the clocks of one pass, in the steady state, through the instructions of a loop without those of its inner
// loops. `loop` is an index into sass::Kernel::loops; -1 stands for the code outside all loops. `missed` has for each
// instruction of the kernel the clocks that a global load takes beyond those of a hit in L1; empty if all loads hit.
double passLatency(const sass::Kernel& sass, int loop, const Latencies& latencies,
                   const std::vector<double>& missed = {});

// The clocks that one instruction adds to a pass through the loop.
struct PassClocks {
  double issue = 0;   // clocks in which it issues
  double wait = 0;    // clocks before it in which registers aren't ready; clocks after a barrier or a branch
  int waitsFor = -1;  // index of the instruction that makes the register; the own index for barriers and branches; -1:
                      // it doesn't wait
};
// Returns the clocks that each instruction of the kernel adds to a pass; 0 for instructions outside the loop. Arguments
// as for `passLatency`.
std::vector<PassClocks> passClocks(const sass::Kernel& sass, int loop, const Latencies& latencies,
                                   const std::vector<double>& missed = {});

}  // namespace loom::model
