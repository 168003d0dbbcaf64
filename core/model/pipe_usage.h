// How much statements or machine instructions use the pipes of a multiprocessor, and how many clocks each pipe takes
// for it.
#pragma once
#include "core/model/access.h"
#include "core/model/compiled.h"
#include "core/model/count.h"
#include "core/model/device.h"

namespace loom::model {

struct CalibratedConstants;

// Amounts of work for each pipe, summed over warps: those of the whole grid where accesses, arithmetic or barriers are
// counted (pipeUsageOf). They need not be whole numbers.
struct PipeUsage {
  double instructions = 0;  // issued warp instructions
  // Passes through L1 for global memory: one for each 128-byte line of a request. A copy from global to shared memory
  // (cp.async) has one pass for each line that it reads or wavefront that it writes, whichever are more: ncu counts a
  // copy's lines as its wavefronts of shared memory, once. (Were both a pass, the second would cost 0.3 +- 0.14 clocks
  // by the times of 22 products on an H200 that nothing was fitted to.)
  double lines = 0;
  // Lines' worth (128 bytes) of sectors that L1 fetches from L2 and keeps: each passes once more, to be stored in L1.
  // What copies of 16 bytes a thread bring goes past L1 into shared memory at once. (By the times of 65 products on an
  // H200 that nothing was fitted to such a pass costs 1.17 +- 0.17 clocks.)
  double fills = 0;
  double wavefronts = 0;     // wavefronts of shared memory, without those that copies from global memory write
  double requests = 0;       // warp instructions that access shared memory
  double fma = 0, half = 0;  // warp instructions of the float32 and of the float16 pipe
  // Warp instructions of integers: products (IMAD, IDP) and all others, which have units of their own each.
  double integerProducts = 0, integer = 0;
  double tensor = 0;    // work of tensor cores in units of kTensorProduct FLOP
  double barriers = 0;  // arrivals of warps at barriers
  // `pipeUsageOf` doesn't set these two.
  double fetched = 0;      // bytes read from other blocks' shared memory
  double beyondCache = 0;  // warp instructions of loops that don't fit the first instruction cache
  PipeUsage& operator+=(const PipeUsage& more);
  PipeUsage operator*(double factor) const;
};

// Returns the pipe usage of one access, estimated from the source program: one instruction for the access and one for
// its address. Accesses to registers and fragments count as zero. `missing` is the share (0 to 1) of its sectors that
// L1 must fetch, one of L1Misses::sectors; 0 for all but global loads.
PipeUsage pipeUsageOf(const Access& access, const AccessCost& cost, double missing = 0);
// Returns the pipe usage of arithmetic, estimated from the source program: one warp instruction for two FLOP of each
// thread (a multiply-add), and one for each product of kTensorProduct (4096) FLOP or of a warpgroup.
PipeUsage pipeUsageOf(const Work& work, const AccessCost& cost);
// Returns the pipe usage of one of the kernel's barriers: the arrivals of all warps of the grid.
PipeUsage pipeUsageOf(const BarrierInfo& barrier, const device::Kernel& kernel);
// Returns the pipe usage of a machine instruction that warps execute `executions` times. `access` has the counts of its
// memory access; null if it accesses no memory. `missing` is the share (0 to 1) of its sectors that L1 must fetch
// (missShare); 0 for all but global loads.
PipeUsage pipeUsageOf(const sass::Instruction& instruction, double executions, const CompiledAccess* access,
                      double missing = 0);

// The clocks that one multiprocessor takes for one unit of each member of PipeUsage but `beyondCache`. `tensor` is 0 if
// the peak of the device's tensor cores isn't known.
struct PipeRates {
  double instruction = 0.25, line = 1, fill = 1, wavefront = 1, request = 0, fma = 0.25, half = 0.5, integer = 0.5,
         tensor = 0, barrier = 0;

  double fetched = 0;
  // The figures that the rates are computed from: warp instructions issued per clock, float32 warp instructions per
  // clock, and FLOP of tensor cores per clock.
  double schedulers = 4, fmaPerClock = 4, tensorFlopPerClock = 0;
  bool tensorAtMost = false;  // whether the peak of mma.sync isn't known, so that wgmma's is used as an upper bound
};
// Returns the rates of the pipes of a multiprocessor, from the device's figures and `fitted`, constants that were
// fitted to measured times. `warps` is the number of warps that the busiest one holds at once: with fewer warps than
// sub-partitions, the schedulers and units of the others are idle.
PipeRates pipeRates(const KernelAccesses& kernel, const Device& device, const CalibratedConstants& fitted,
                    double warps);

}  // namespace loom::model
