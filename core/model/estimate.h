// The predicted time of a kernel with its breakdown. It follows from two numbers of clocks: those for which pipes are
// busy (Estimate::throughputClocks) and those for which warps wait for their own instructions
// (Estimate::latencyClocks), of which other warps hide a part. Pipes work in parallel; the phases of a block, between
// its barriers, overlap only with those of other resident blocks. The time is computed from the machine code if that is
// known, else from the program as written.
#pragma once
#include "core/model/compiled.h"
#include "core/model/hierarchy.h"
#include "core/model/latency.h"
#include "core/model/misses.h"
#include "core/model/occupancy.h"
#include "core/model/pipe_usage.h"
#include "core/model/role_use.h"

namespace loom::model {

// The constants of the model, fitted to measured times of an H200 (assets/recorded/h200_*.json) unless said otherwise.
// tests/model/optimized/estimate_test.cpp lists the kernels that were used, and the error of the model on the others.
struct CalibratedConstants {
  Latencies latencies;
  double missLatency = 300;  // clocks that a global load takes longer if its sector isn't in L1
  // Clocks that a load takes longer if its sector isn't in L2. Measured by a pointer chase on an H200 (2026-11-22,
  // driver 580.159.04; 290 clocks from L2): in a set of 48 to 2048 MiB in random order, the share 1 - 36 MiB / size of
  // the loads takes 380 clocks more.
  double memoryLatency = 380;
  double l2Kept = 0.6;  // the share of L2's bytes that still holds a larger set of data at the next launch
  // Clocks per 128-byte line of a global request, and per 128 bytes that L1 fetches: L1 is that wide.
  double clocksPerLine = 1;
  // The time that L2 takes, in units of the time of one whole sector that is read at the device's rate. Measured on an
  // H200 (2026-11-21, driver 580.159.04): loads and stores of 2 to 16 bytes per lane, lanes 32 bytes to 16 KiB apart,
  // data in L2. The number of lines matters, but not the distance between them.
  double l2LineLoaded = 2.36;   // the least time of each line that is loaded, however few of its sectors are requested
  double l2LineStored = 1.95;   // the time of each line that is stored to, besides that of its sectors
  double l2SectorPartly = 2.4;  // the time of a stored sector of which only some bytes are written; 1 for a whole one
  // Clocks per wavefront and per request (warp instruction) of shared memory, fitted on 60 register-tiled products on
  // an H100 (2026-11-25, driver 580.159.04) with 1 to 25 wavefronts per request. Wavefronts and lines of global memory
  // go through one pipe: in kernels that shared memory limits, each takes 0.96 to 0.99 clocks. Requests of a single
  // wavefront take longer.
  double clocksPerWavefront = 1;
  double clocksPerSharedRequest = 0.2;
  double clocksPerBarrier = 2.25;  // clocks for each warp that arrives at a barrier
  double issueSlack = 1;           // clocks of a scheduler per instruction
  // Clocks for each block that the GPU starts, one after the other on all multiprocessors. Measured on an H200
  // (2026-12-01, driver 580.159.04): 16,896 blocks of one to sixteen warps that do nothing, or load an element and meet
  // at a barrier, take 9.9 to 10.1 µs more than 132; of 32 warps 11.4.
  double clocksPerBlock = 1.2;
  // o in (Σ clocks^o)^(1/o), the time of pipes that work in parallel; infinite: the longest. Fitted on half of 213
  // products on an H200 (2026-11-30), drawn at random, once fills of L1 and integers were pipes, too: with 4, which was
  // fitted without them, the other half is off by 7.5 % in the median instead of 6.9 %.
  double overlap = 6;
  double smoothness = 2;  // p in (t^p + l^p)^(1/p), the time that follows from throughput t and latency l
  double launchMicroseconds = 1;
};

// The name of a pipe that is no part of the predicted time: device memory, if L2 keeps all data from one launch to the
// next. PipeClocks::clocks are then those that device memory would take if L2 held nothing at the launch.
inline constexpr const char* kColdMemory = "cold memory";

// The clocks for which one pipe is busy.
struct PipeClocks {
  // The pipe's name: "issue", "instruction cache", "memory instructions", "fp32", "fp16", "integer", "barrier",
  // "integer products", "cluster" (other blocks' shared memory), "tensor", "l2"; in kernels whose warps have roles
  // "shared" and "copy engine" instead of "memory instructions"; "memory" if L2 can't keep the data from one launch to
  // the next, or local memory at all, or else kColdMemory.
  std::string pipe;
  double clocks = 0;  // clocks of the busiest multiprocessor for all of its blocks, over the whole kernel or a Phase
  Message how;        // how the figure was obtained
};

// The part of a kernel between two barriers, in the order of the machine code or else of the program.
struct Phase {
  std::string name;  // those of "load", "multiply" and "store" that occur, joined by " and "; "prepare" if none does
  std::vector<PipeClocks> pipes;
  int busiest = 0;  // index into `pipes`
};

// The traffic between the multiprocessors and L2 over the whole grid. Sectors have 32 bytes, lines 128.
struct L2Traffic {
  double loaded = 0, loadedLines = 0;              // sectors of loads that miss L1, and the lines that they lie in
  double stored = 0, storedLines = 0, partly = 0;  // sectors of stores, their lines, and how many of the sectors are
                                                   // not written whole
  // Returns the bytes of all sectors.
  double bytes() const;
  // Returns the traffic as the number of sectors whose reading would take L2 as long: more than the sectors moved if
  // lines are only partly used (CalibratedConstants::l2LineLoaded, l2LineStored, l2SectorPartly).
  double charged(const CalibratedConstants& fitted) const;
};

// The predicted time of one kernel. Clocks are those of the busiest multiprocessor.
struct Estimate {
  double microseconds = 0;      // the predicted time, launch included
  double throughputClocks = 0;  // clocks that the kernel would take if all latency were hidden
  // Clocks if each warp waited only for its own instructions, and never for pipes that other warps use: the latency of
  // one warp, times the rounds of resident blocks. 0 without machine code and for kernels with `roles`.
  double latencyClocks = 0;
  double launchMicroseconds = 1;  // of the launch, `startMicroseconds` included
  // For which starting blocks, one after the other, takes longer than all that they do; 0 for kernels with `roles`.
  double startMicroseconds = 0;
  double missesL2 = 0;  // of the sectors that miss L1, the share (0 to 1) that misses L2, too
  L2Traffic l2;         // of the machine code if the estimate was made from it, else of the program as written
  L2Traffic l2Written;  // always of the program as written
  L1Misses l1;          // of the program's global loads
  // Sums over all phases, then L2 and device memory, which no phase has, as far as their rates are known; for kernels
  // with `roles` those of the simulated run.
  std::vector<PipeClocks> pipes;
  int busiest = 0;  // index into `pipes`, never that of kColdMemory
  // In order, without those that execute no instruction. For kernels with `roles` they aren't of the simulated run, but
  // still of the machine code if that is known, else of the program.
  std::vector<Phase> phases;
  // Whether the time was computed from machine code; otherwise from the program as written or, if there are `roles`,
  // from the simulated run, also where machine code is known.
  bool asCompiled = false;
  // The simulated run from which the time is taken if warpgroups multiply tiles that the copy engine loads and the
  // device's L2 rate is known; nothing for other kernels.
  std::optional<RoleRun> roles;
  // The clock rate of the multiprocessors while the kernel runs, in MHz; 0 if there are no `roles`. The numbers of
  // clocks above count at the rate that the device states, those in `roles` at this one.
  double megahertz = 0;
  bool powerBound = false;  // whether the power limit keeps `megahertz` below the stated rate
  Message how;              // how the prediction was obtained
};

// Predicts the time of a kernel on a device. `kernel` lists the kernel's loops and accesses, `count` says what each
// costs (sectors, wavefronts, FLOP), and `hierarchy` what travels between the memories, all as the program is written.
// `sass` and `compiled`, the machine code and its counts, are null without a compiler; if one is null, the other isn't
// used. Errors: "UnknownFigure" if the device's clock or number of multiprocessors isn't known; "TooLarge" if not even
// one block fits on a multiprocessor, or one cluster into a GPC.
Result<Estimate> estimate(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                          const Occupancy& occupancy, const Device& device, const sass::Kernel* sass,
                          const CompiledCount* compiled, const CalibratedConstants& fitted = {});

// The shares of the sectors requested by global loads that miss the caches.
struct Misses {
  L1Misses l1;
  double l2 = 0;  // of the sectors that miss L1, the share (0 to 1) that misses L2, too
};
// Returns for each instruction of `sass`, by its index, the mean number of clocks that it takes beyond those of a
// global load that hits L1; 0 for instructions that are no global loads.
std::vector<double> missedClocks(const sass::Kernel& sass, const CompiledCount& compiled, const Misses& misses,
                                 const CalibratedConstants& fitted = {});

}  // namespace loom::model
