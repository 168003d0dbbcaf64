#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/memory/view/memory.h"
#include "core/gpu/workload.h"
#include "core/model/occupancy_curves.h"
#include "core/model/rate.h"

namespace loom::session {

/// Whose bytes an arithmetic intensity is taken over.
enum class Traffic : std::uint8_t { kMemory, kL2, kShared };
inline constexpr int kTraffics = 3;

/// One ceiling of a roofline.
struct Ceiling {
  std::string name;                ///< "memory", "l2", "shared", "fp32", "mma.sync f16→f32", "wgmma f16→f32", …
  std::optional<Traffic> traffic;  ///< none: arithmetic
  model::Rate rate;                ///< GB/s, or TFLOP/s

  /// TFLOP/s that it allows at so many FLOP per byte.
  double at(double intensity) const { return traffic ? rate.value * intensity / 1000 : rate.value; }
  /// Whether so much is more than it allows, beyond what measurements differ by.
  bool isBelow(double intensity, double tflops) const { return tflops > 1.02 * at(intensity); }
};

/// Those of a device for a product of these element types; in the order of `Traffic`, then arithmetic. Without a
/// product only CUDA cores'.
std::vector<Ceiling> ceilingsOf(const model::Device& device, const std::optional<gpu::Matmul>& matmul);

/// The instructions of a loop, or of all that runs, by the pipe that takes them.
struct InstructionShare {
  sass::Pipe pipe = sass::Pipe::Other;
  int inLoop = 0;       ///< instructions of the hot loop's body
  double executed = 0;  ///< by warps, over the grid
};

/// A memory instruction of the hot loop, or several alike.
struct MemoryInstruction {
  std::string opcode;
  int line = 0;  ///< of the CUDA text
  int count = 0;
  int bytes = 0;          ///< a lane moves
  double perRequest = 0;  ///< sectors (global) or wavefronts (shared); 0: not known
  double needed = 0;      ///< the least for the bytes asked for
};

struct InstructionMix {
  std::vector<InstructionShare> shares;  ///< most executed first
  std::vector<MemoryInstruction> memory;
  double executed = 0;
  int hotInstructions = 0;
  double iterations = 0;  ///< of the hot loop, by warps over the grid
  Message how, loopHow;
  bool exact = false;
};

/// A figure that two states are compared by. The label tells apart those of one kind.
struct ComparedFigure {
  enum class Kind : std::uint8_t {
    kMeasured,   ///< µs; the panel's to add
    kPredicted,  ///< µs
    kPipe,       ///< µs of the pipe that the label names
    kLaunch,     ///< µs
    kBlocks,
    kThreads,
    kRegisters,  ///< of a thread
    kSpills,     ///< bytes
    kShared,     ///< bytes of a block
    kOccupancy,  ///< resident warps of all, in percent
    kBlocksFit,  ///< on a multiprocessor
    kWaves,
    kTraffic,      ///< bytes from and to the levels that the label names, as written
    kIntensity,    ///< FLOP per byte of the label's link
    kLoadSectors,  ///< of a global request, as written; as compiled where the label says so
    kStoreSectors,
    kConflicts,     ///< wavefronts too many, over the grid
    kWays,          ///< the worst
    kInstructions,  ///< of warps, as compiled
  };
  Kind kind = Kind::kMeasured;
  std::string label;
  double value = 0;
  Message how;
};

struct PerformanceView {
  bool kernel = false;
  Message problem;  ///< why there is no kernel, as the core says it
  std::string device;
  Message deviceProblem;
  bool registersKnown = false;

  double flops = 0;                                             ///< that the kernel does, repeated ones too
  std::array<std::optional<model::Number>, kTraffics> bytes;    ///< over each link, as compiled where that is known
  std::array<std::optional<model::Number>, kTraffics> written;  ///< as written, so that any two states compare
  std::string peak;     ///< name of the ceiling of the units that it uses; empty: none is known
  Message peakUnknown;  ///< why there is no such ceiling, model::Roofline's; empty: there is, or no kernel is
  double share = 1;     ///< of the multiprocessors that have blocks
  double filled = 1;    ///< of such a multiprocessor's units of `peak`, those that its threads can keep busy
  int busy = 0, multiprocessors = 0;

  std::optional<model::Occupancy> occupancy;
  int warpsRun = 0;                           ///< on a busy multiprocessor: no more than the grid has; 0: not known
  std::vector<model::OccupancyCurve> curves;  ///< by model::Want; empty without a device
  std::optional<model::Estimate> estimate;
  std::optional<InstructionMix> mix;
  std::vector<ComparedFigure> figures;
};

/// By how much the model is slower than `microseconds`, where a pipe alone takes longer in it; 0 elsewhere. What L2
/// would fetch were it cold doesn't count, as it doesn't in the predicted time.
double slownessOf(const PerformanceView& view, double microseconds);
/// By what share of `microseconds`, a time by the clock, the predicted one is longer (negative: shorter) where they are
/// more than a quarter apart; else 0.
double modelErrorOf(const PerformanceView& view, double microseconds);

/// Of one kernel; `memory` is its memory view, `resources` null before it is compiled.
PerformanceView performanceView(const model::KernelModel& model, const model::Device* device,
                                const compile::KernelResources* resources, const MemoryView& memory);

/// Returns the view of a state's model, kept with the model: of a state that is no kernel, why that is so.
const PerformanceView& performanceOf(const StateModel& model);

/// A row of two states side by side; nothing where one has no such figure.
struct ComparedRow {
  ComparedFigure::Kind kind = ComparedFigure::Kind::kMeasured;
  std::string label;
  std::optional<double> before, after;
  Message how;  ///< of the second, else of the first
  bool differs = false;
};
/// All figures of either in the order of the kinds; they differ where one is missing or more than a thousandth apart.
std::vector<ComparedRow> compared(const std::vector<ComparedFigure>& before, const std::vector<ComparedFigure>& after);

}  // namespace loom::session
