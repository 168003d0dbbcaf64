// How much statements or machine instructions use the pipes of a multiprocessor, and how many clocks each pipe takes
// for it.
#pragma once
#include "core/model/access.h"
#include "core/model/compiled.h"
#include "core/model/count.h"
#include "core/model/device.h"

namespace loom::model {

struct CalibratedConstants;

// Amounts of work for each pipe, summed over warps. They need not be whole numbers.
struct PipeUsage {
  double instructions = 0;   // issued warp instructions
  double lines = 0;          // 128-byte lines of global memory, each of which takes one tag lookup
  double wavefronts = 0;     // of shared memory
  double requests = 0;       // of shared memory: warp instructions
  double fma = 0, half = 0;  // warp instructions of the float32 and of the float16 pipe
  double tensor = 0;         // products of kTensorProduct FLOP
  double barriers = 0;       // arrivals of warps
  double fetched = 0;        // bytes of other blocks' shared memory
  double beyondCache = 0;    // warp instructions of loops that don't fit the first instruction cache
  PipeUsage& operator+=(const PipeUsage& more);
  PipeUsage operator*(double factor) const;
};

// Returns the pipe usage of one access, estimated from the source program: one instruction for the access and one for
// its address. Accesses to registers and fragments count as zero.
PipeUsage pipeUsageOf(const Access& access, const AccessCost& cost);
// Returns the pipe usage of arithmetic, estimated from the source program: one instruction for each operation of a
// warp.
PipeUsage pipeUsageOf(const Work& work, const AccessCost& cost);
// Arrivals of all warps of the grid at one of the kernel's barriers.
PipeUsage pipeUsageOf(const BarrierInfo& barrier, const device::Kernel& kernel);
// Returns the pipe usage of a machine instruction that is executed `executions` times. `access` is what its accesses
// come to; null if it accesses no memory.
PipeUsage pipeUsageOf(const sass::Instruction& instruction, double executions, const CompiledAccess* access);

// Clocks of one multiprocessor for one of each; `tensor` is 0 where the device's peak isn't known.
struct PipeRates {
  double instruction = 0.25, line = 1, wavefront = 1, request = 0, fma = 0.25, half = 0.5, tensor = 0, barrier = 0;
  double fetched = 0;
  double schedulers = 4, fmaPerClock = 4, tensorFlopPerClock = 0;  // what the rates come from
  bool tensorAtMost = false;                                       // mma.sync's peak isn't known: wgmma's stands in
};
// Returns the rates of the pipes of a multiprocessor. `warps` is the number of warps that the busiest one holds at
// once: with fewer warps than sub-partitions, the schedulers and units of the others are idle.
PipeRates pipeRates(const KernelAccesses& kernel, const Device& device, const CalibratedConstants& fitted,
                    double warps);

}  // namespace loom::model
