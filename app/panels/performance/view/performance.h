#pragma once

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/memory/view/memory.h"
#include "app/panels/performance/view/occupancy_parts.h"
#include "core/gpu/workload.h"
#include "core/model/active_clusters.h"
#include "core/model/occupancy_curves.h"
#include "core/model/rate.h"

namespace loom::session {

// The data that the pages of the panel Performance show: ceilings and bytes for the page Roofline, occupancy, the
// instruction mix, and the figures that the page Compare sets side by side. A state is the program after some steps of
// its schedule. Figures "as written" are counted in this program, figures "as compiled" in its machine code.

/// The link whose bytes an arithmetic intensity (FLOP per byte) refers to: device memory, L2, or shared memory.
enum class Traffic : std::uint8_t { kMemory, kL2, kShared };
/// The number of values of Traffic.
inline constexpr int kTraffics = 3;

/// A ceiling of a roofline: the rate of a link, which is a diagonal, or of an arithmetic unit, which is horizontal.
struct Ceiling {
  std::string name;                ///< "memory", "l2", "shared", "fp32", "mma.sync f16→f32", "wgmma f16→f32", …
  std::optional<Traffic> traffic;  ///< the link; nothing for an arithmetic unit
  model::Rate rate;                ///< GB/s of a link, TFLOP/s of an arithmetic unit

  /// Returns the TFLOP/s that the ceiling allows at an intensity in FLOP per byte.
  double at(double intensity) const { return traffic ? rate.value * intensity / 1000 : rate.value; }
  /// Returns whether a throughput lies above the ceiling by more than the 2 % by which measurements differ.
  bool isBelow(double intensity, double tflops) const { return tflops > 1.02 * at(intensity); }
};

/// Returns the ceilings of a device whose rates are known: its links in the order of `Traffic`, then the
/// CUDA cores ("fp32"), then the kinds of tensor core instructions that can compute the product `matmul` with its
/// element types and at least its precision. If `matmul` is empty or multiplies a vector, there are no tensor core
/// instructions among them.
std::vector<Ceiling> ceilingsOf(const model::Device& device, const std::optional<gpu::Matmul>& matmul);

/// The instructions that one pipe executes.
struct InstructionShare {
  sass::Pipe pipe = sass::Pipe::Other;
  int inLoop = 0;       ///< static number of instructions in the body of the hot loop
  double executed = 0;  ///< warp instructions executed, over the grid
};

/// Memory instructions of the hot loop with the same opcode, source line and cost per request.
struct MemoryInstruction {
  std::string opcode;
  int line = 0;           ///< line of the CUDA source, from 1; 0: the instructions come from a header
  int count = 0;          ///< how many such instructions the loop has
  int bytes = 0;          ///< bytes that each lane moves per instruction
  double perRequest = 0;  ///< sectors (global memory) or wavefronts (shared memory) per request; 0: not known
  double needed = 0;      ///< the smallest number of sectors or wavefronts that could move the bytes of a request
};

/// The warp instructions that a kernel executes, by pipe, and those of its hot loop: the loop that executes the most.
struct InstructionMix {
  std::vector<InstructionShare> shares;   ///< one per pipe, the most executed first
  std::vector<MemoryInstruction> memory;  ///< memory instructions of the hot loop
  double executed = 0;                    ///< warp instructions executed over the grid
  int hotInstructions = 0;                ///< instructions in the body of the hot loop; 0 if there is no loop
  double iterations = 0;                  ///< iterations of the hot loop, summed over the warps of the grid
  Message how, loopHow;                   ///< how the figures of the kernel, and of the loop, were obtained
  bool exact = false;                     ///< whether the figures are exact; otherwise they are scaled from a sample
};

/// A figure by which two states are compared. `kind` and `label` together identify it.
struct ComparedFigure {
  enum class Kind : std::uint8_t {
    kMeasured,   ///< measured time in µs, which only the page Compare adds
    kPredicted,  ///< predicted time in µs
    kClock,      ///< MHz at which multiprocessors are predicted to run under the kernel's load, where power is modelled
    kPipe,       ///< µs for which the pipe that the label names is predicted to be busy; for the label "latency", µs
                 ///< that the latencies of one warp's instructions take
    kProducts,  ///< where warps have roles: percent of the time without the launch that products would take at the full
                ///< rate of tensor cores
    kLaunch,    ///< µs that the launch of the kernel takes
    kBlocks,    ///< thread blocks of the grid
    kThreads,   ///< threads of a block
    kRegisters,  ///< registers of a thread
    kSpills,     ///< bytes of a thread's stores and loads of spilled registers
    kShared,     ///< bytes of shared memory of a block
    kOccupancy,  ///< resident warps of a multiprocessor, in percent of the device's maximum
    kBlocksFit,  ///< blocks that fit on a multiprocessor
    kWaves,      ///< waves of the grid, as a fraction: its blocks over those of a full wave
    kTraffic,    ///< bytes over the grid between the two memory levels that the label names, for the program as written
    kIntensity,  ///< arithmetic intensity in FLOP per byte of the link that the label names
    kLoadSectors,   ///< 32-byte sectors per request of a global load, as written; as compiled if the label says so
    kStoreSectors,  ///< 32-byte sectors per request of a global store, as written or compiled like kLoadSectors
    kConflicts,     ///< extra wavefronts of bank conflicts, over the grid; as written or compiled, as the label says
    kWays,          ///< ways of the worst bank conflict; 1: none
    kInstructions,  ///< warp instructions executed over the grid, as compiled
  };
  Kind kind = Kind::kMeasured;
  std::string label;  ///< which pipe, level or request the figure is of; empty for kinds with one figure
  double value = 0;   ///< in the unit of its kind
  Message how;        ///< how the figure was obtained
};

/// The performance of one state, as the pages of Performance show it.
struct PerformanceView {
  bool kernel = false;          ///< whether the state is a kernel; otherwise `problem` says why not
  Message problem;              ///< why the state is no kernel; else empty
  std::string device;           ///< name of the device that the figures are for; empty: it has no description
  Message deviceProblem;        ///< why the device has no description; else empty
  bool registersKnown = false;  ///< whether the kernel was compiled

  double flops = 0;  ///< FLOP that the kernel executes, repeated work included
  /// Bytes over each link, by `Traffic`, for the grid: of device memory each distinct byte once, of L2 whole sectors
  /// (32 bytes), of shared memory whole wavefronts (128 bytes). As compiled if that is known, else as written.
  std::array<std::optional<model::Number>, kTraffics> bytes;
  /// The same bytes, always for the program as written, so that any two states compare.
  std::array<std::optional<model::Number>, kTraffics> written;
  /// Of `bytes` over L2, those that L2 needn't deliver, because it serves blocks that request the same at the same time
  /// together; 0: none, or not known.
  double servedTogether = 0;
  /// Of the bytes that the copy engine (TMA) writes to shared memory, the share that `bytes` and `written` count: only
  /// so much takes bandwidth from other accesses. 1 if it writes none.
  double fillShare = 1;
  std::string peak;                   ///< Ceiling::name of the unit that the kernel computes with; empty: not known
  Message peakUnknown;                ///< why there is no such ceiling (model::Roofline); else empty
  double share = 1;                   ///< share of the multiprocessors that have blocks, 0 to 1
  double filled = 1;                  ///< share of such a multiprocessor's units that its threads can keep busy, 0 to 1
  int busy = 0, multiprocessors = 0;  ///< multiprocessors with blocks, and all of the device; 0: not known

  std::optional<model::Occupancy> occupancy;  ///< resident blocks and what limits them; nothing without a device
  std::optional<model::Waves> waves;          ///< waves of the grid; nothing without a device
  int warpsRun = 0;  ///< warps resident on a busy multiprocessor, at most as many as the grid has; 0: not known
  /// One for each model::OccupancyResource for which the device's figures suffice; empty without a device.
  std::vector<model::OccupancyCurve> curves;
  OccupancyParts parts;                     ///< how blocks use registers and shared memory; empty without a device
  std::optional<model::Estimate> estimate;  ///< the predicted time; nothing if the device's figures say too little
  std::optional<InstructionMix> mix;        ///< nothing without machine code
  std::vector<ComparedFigure> figures;      ///< the figures that the page Compare sets side by side
};

/// Returns the predicted time over the measured `microseconds`, if some pipe alone is predicted to be busy longer than
/// `microseconds`. Otherwise, or if a time isn't known, returns 0. The pipe model::kColdMemory doesn't count, as it is
/// no part of the predicted time.
double slownessOf(const PerformanceView& view, double microseconds);
/// What predictions are off by in the median, as a share of recorded times that the model was not fitted to
/// (tests/model/README.md).
inline constexpr double kUsualError = 0.12;
/// Returns by what share of the measured `microseconds` the prediction is too long (0.5: by half) or, negative, too
/// short. Returns 0 if the prediction is off by less than one and a half times kUsualError, or if a time isn't known.
double modelErrorOf(const PerformanceView& view, double microseconds);

/// Returns the view of one kernel. `device` is null if the device has no description, `resources` is null before
/// compilation, and `memory` is the memory view of the same kernel. The members `device` and `deviceProblem` stay
/// empty.
PerformanceView performanceView(const model::KernelModel& model, const model::Device* device,
                                const compile::KernelResources* resources, const MemoryView& memory);

/// Returns the view of a state's model, which is made once and kept with the model. For a state that is no kernel, the
/// view only says why.
const PerformanceView& performanceOf(const StateModel& model);

/// A figure of two states side by side, in the unit of its kind. `before` or `after` is empty if the first or second
/// state has no such figure.
struct ComparedRow {
  ComparedFigure::Kind kind = ComparedFigure::Kind::kMeasured;
  std::string label;  ///< as in ComparedFigure
  std::optional<double> before, after;
  Message how;           ///< how the second state's figure was obtained, or else the first's
  bool differs = false;  ///< whether the two figures differ
  bool byClock = false;  ///< for kPipe: whether the pipe is busy for the same number of clocks, at another clock rate
  /// Returns the second state's figure over the first's. Both must be there, and the first's not 0.
  double change() const { return *after / *before; }
};
/// Returns all figures that either of two states has, side by side, in the order of the kinds. Two figures differ if
/// one is missing, or if they are more than a thousandth apart.
std::vector<ComparedRow> compared(const std::vector<ComparedFigure>& before, const std::vector<ComparedFigure>& after);

/// Returns the row of the kind, kMeasured or kPredicted, in which both states have a time above 0; the pointer is into
/// `rows`. Times of other devices (rows with a label) don't count. Returns null if there is no such row.
const ComparedRow* comparedTime(const std::vector<ComparedRow>& rows, ComparedFigure::Kind kind);

/// A change of the time between two states for which prediction and measurement disagree. Both members are the second
/// state's time over the first's.
struct DisputedChange {
  double measured = 1, predicted = 1;
  /// Returns by how much they differ, as a share of the measured change.
  double by() const { return std::abs(predicted / measured - 1); }
  /// Returns whether they differ by no more than the model is usually off, so that it doesn't tell which of the two
  /// states is faster.
  bool isUsual() const { return by() <= kUsualError; }
};
/// Returns the measured and the predicted change of the time if they disagree: if one says faster and the other slower
/// (by more than 0.5 %), or if only one of them is beyond `noise` (a share of the time) and they differ by more than
/// that. Times of other devices (rows with a label) don't count. Returns nothing if they agree or a time is missing.
std::optional<DisputedChange> disputedChange(const std::vector<ComparedRow>& rows, double noise);

}  // namespace loom::session
