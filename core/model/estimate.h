// A predicted time with its breakdown: the sum, over the phases between barriers, of the clocks of the busiest pipe,
// plus the latency that no other warp hides. It is made from the machine code; without that, from the statements as
// written, and then the estimate says so.
#pragma once
#include "core/model/compiled.h"
#include "core/model/hierarchy.h"
#include "core/model/latency.h"
#include "core/model/misses.h"
#include "core/model/occupancy.h"
#include "core/model/pipe_usage.h"
#include "core/model/role_use.h"

namespace loom::model {

// The constants of the model that were fitted, on states of assets/recorded/h200_*.json.
// tests/model/optimized/estimate_test.cpp has the list of these states, and the error of the model on the others.
struct CalibratedConstants {
  Latencies latencies;
  double missLatency = 300;  // clocks more when a global load's sector isn't in L1
  // What lies beyond L2, measured by a pointer chase on an H200 (2026-11-22, driver 580.159.04; 290 clocks from L2): of
  // 48 to 2048 MiB in random order, the share 1 - 36 MiB / size takes 380 clocks more.
  double memoryLatency = 380;  // clocks more when a load's sector isn't in L2
  double l2Kept = 0.6;         // of L2's bytes: what it holds of a larger set from one launch to the next
  double clocksPerLine = 1;    // of a global request: its tags, one 128-byte line a time
  // What L2 takes, in terms of a sector that is read at the device's rate. Measured on an H200 (2026-11-21, driver
  // 580.159.04): loads and stores of 2 to 16 bytes a lane, lanes 32 bytes to 16 KiB apart, data that L2 holds. How far
  // apart lines are doesn't matter, but how many there are.
  double l2LineLoaded = 2.36;   // at least this for each, however few of its sectors are wanted
  double l2LineStored = 1.95;   // this for each line,
  double l2SectorPartly = 2.4;  // and this for each sector of which some bytes are written; 1 for a whole one
  // Of shared memory, fitted on 60 register-tiled products on an H100 (2026-11-25, driver 580.159.04), 1 to 25
  // wavefronts a request: where shared memory is all that counts, a wavefront and a line of global memory take 0.96 to
  // 0.99 clocks each in the same pipe; what single wavefronts take more goes by requests.
  double clocksPerWavefront = 1;
  double clocksPerSharedRequest = 0.2;
  double clocksPerBarrier = 2.25;  // of each warp that arrives
  double issueSlack = 1;           // clocks of a scheduler per instruction
  double overlap = 4;              // how pipes that work side by side join: (Σ clocks^o)^(1/o); infinite: the longest
  double smoothness = 2;           // how throughput and latency join: (t^p + l^p)^(1/p)
  double launchMicroseconds = 1;
};

// The name of a pipe that is no part of the predicted time: device memory, if L2 keeps all data from one launch to the
// next. Its clocks are what it would take if L2 were cold.
inline constexpr const char* kColdMemory = "cold memory";

// For how many clocks one pipe is busy.
struct PipeClocks {
  // "issue", "instruction cache", "memory instructions", "fp32", "tensor", "cluster", "l2"; of kernels with roles
  // "shared" and "copy engine" instead of "memory instructions"; "memory" if L2 can't keep the data from one launch to
  // the next, or else kColdMemory.
  std::string pipe;
  double clocks = 0;  // of the busiest multiprocessor, over the whole kernel
  Message how;        // how the figure was obtained
};

// The part of a kernel between two barriers, in the order of the machine code.
struct Phase {
  std::string name;  // "load", "multiply", "load and multiply", "store"
  std::vector<PipeClocks> pipes;
  int busiest = 0;  // index into `pipes`
};

// The traffic between the multiprocessors and L2 over the whole grid, which all panels call L2's bytes. Sectors have 32
// bytes, lines 128.
struct L2Traffic {
  double loaded = 0, loadedLines = 0;              // sectors of loads that miss L1, and the lines that they lie in
  double stored = 0, storedLines = 0, partly = 0;  // sectors of stores, their lines, and sectors not written whole
  double bytes() const;
  // Returns the traffic as the number of sectors whose reading would take L2 as long: more than the sectors moved if
  // lines are only partly used (CalibratedConstants::l2LineLoaded, l2LineStored, l2SectorPartly).
  double charged(const CalibratedConstants& fitted) const;
};

// The predicted time of one kernel. Clocks are those of the busiest multiprocessor.
struct Estimate {
  double microseconds = 0;      // the prediction, launch included
  double throughputClocks = 0;  // clocks that the kernel would take if all latency were hidden
  double latencyClocks = 0;     // clocks that it would take if resident warps didn't compete for pipes
  double launchMicroseconds = 1;
  double missesL2 = 0;  // of the sectors that miss L1, the share (0 to 1) that misses L2, too
  L2Traffic l2;
  L2Traffic l2Written;            // always of the program as written
  std::vector<PipeClocks> pipes;  // over all phases
  int busiest = 0;                // index into `pipes`
  std::vector<Phase> phases;
  bool asCompiled = false;  // whether it was made from machine code; otherwise from the program as written
  // What the copy engine, tensor cores and groups of warps do, where the time is theirs (role_estimate.h).
  std::optional<RoleRun> roles;
  double megahertz = 0;     // of the multiprocessors while the kernel runs; clocks count at the device's stated rate
  bool powerBound = false;  // whether power keeps that clock below the stated one
  Message how;              // how the prediction was obtained
};

// Predicts the time of a kernel on a device. `sass` and `compiled`, the machine code and its counts, are null without a
// compiler. Errors: "UnknownFigure" if the device's clock or number of multiprocessors isn't known; "TooLarge" if not
// even one block fits on a multiprocessor, or one cluster into a GPC.
Result<Estimate> estimate(const KernelAccesses& kernel, const KernelCount& count, const Hierarchy& hierarchy,
                          const Occupancy& occupancy, const Device& device, const sass::Kernel* sass,
                          const CompiledCount* compiled, const CalibratedConstants& fitted = {});

// The shares of the sectors requested by global loads that miss the caches.
struct Misses {
  L1Misses l1;
  double l2 = 0;  // as Estimate::missesL2
};
// Returns, by instruction, the clocks that a global load takes beyond those of a hit in L1.
std::vector<double> missedClocks(const sass::Kernel& sass, const CompiledCount& compiled, const Misses& misses,
                                 const CalibratedConstants& fitted = {});

}  // namespace loom::model
