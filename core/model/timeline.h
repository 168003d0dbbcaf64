// The life of one block: what it does in program order, cut into phases at the barriers, with what each action asks of
// each pipe. The predicted time is shared out over the phases: a phase takes as long as its busiest pipe, and what
// latency nobody hides; so the parts add up to the time that `estimate` gives.
//
//   fill accumulators                                   phase
//   k_0 = 0 … 15                                        loop: its passes are alike, one is kept
//     copy X, copy Y, barrier                           phase
//     load fragments, multiply                          phase
//   store                                               phase
#pragma once
#include <array>

#include "core/codegen/cuda.h"
#include "core/model/estimate.h"

namespace loom::model {

// What a budget is kept of. Copies and shared memory go through one pipe, the memory instructions of a multiprocessor:
// their clocks add up; the others run beside each other.
enum class Track : std::uint8_t { Copy, Shared, Arithmetic, Issue };
inline constexpr int kTracks = 4;
// What Track::Arithmetic stands for in a kernel: the busiest of its units, which run beside each other.
enum class Unit : std::uint8_t { Fma, Half, Tensor };
const char* nameOf(Track track);  // "copy", "shared", …
using TrackClocks = std::array<double, kTracks>;

// One statement, in one pass of its phase, by all warps of the block.
struct TimelineAction {
  enum class Kind : std::uint8_t { Start, Copy, Load, Multiply, Store, Barrier };
  Kind kind = Kind::Start;          // a start value; global → shared; to registers; arithmetic; to global; barrier
  ir::Id block;                     // none for barriers
  std::string name;                 // of the block
  std::vector<int> accesses, work;  // in KernelAccesses
  std::vector<ir::Buffer> reads, writes;
  double executions = 0;                               // of the statement by a warp, as written
  double globalBytes = 0, sharedBytes = 0, flops = 0;  // as written
  PipeUsage demand;                                    // of the block, as compiled where it is
  TrackClocks clocks{};                                // of the life, see Timeline::stretch
  TrackClocks waits{};                                 // that nobody hides, by what is waited for; as compiled only
};

// A loop that the life goes through pass by pass, a phase, a loop inside of a phase (whose passes of several warps go
// beside each other), or an action. In program order, what is inside right behind.
struct TimelineItem {
  enum class Kind : std::uint8_t { Loop, Phase, Inner, Action };
  Kind kind = Kind::Phase;
  int parent = -1, end = 0;  // what is inside: [index + 1, end)
  int loop = -1;             // in KernelAccesses
  ir::Var var;               // of a loop
  ir::Id id;
  std::int64_t extent = 1;
  int index = -1;     // of the phase or action
  double clocks = 0;  // loop: of one pass; phase: of it
};

struct TimelinePhase {
  double times = 1;      // in a block's life
  TrackClocks clocks{};  // sums over its actions
  TrackClocks waits{};
  Track busiest = Track::Issue;
  double throughput = 0;  // clocks if nothing waited: the busiest of copy + shared, arithmetic, issue
  double length() const;
};

struct Timeline {
  std::vector<TimelineAction> actions;
  std::vector<TimelinePhase> phases;
  std::vector<TimelineItem> items;
  int step = -1;        // the loop whose pass is a k step: the innermost with barriers; without any, the one that
                        // brings in operands; -1: there is none
  double clocks = 0;    // of the life
  double rounds = 1;    // lives after one another on the busiest multiprocessor
  double resident = 1;  // blocks that share it
  double stretch = 1;   // clocks of life per clock of the block's own: others take turns
  double megahertz = 0, launchMicroseconds = 0;
  double microseconds = 0;     // predicted, of the kernel: clocks · rounds / megahertz + launch
  Unit unit = Unit::Fma;       // of most of the arithmetic's clocks
  bool asCompiled = false;     // else waits aren't known
  bool bySecondLevel = false;  // copies are as slow as L2 or memory, which all multiprocessors share
};

// How a stretch of the life is spent: every clock belongs to the busiest pipe of its phase, or to a wait.
struct Budget {
  double clocks = 0;
  TrackClocks busy{};     // all that the pipe does
  TrackClocks exposed{};  // while it is the busiest: what the time is made of
  TrackClocks waits{};
};
// Of one pass of a loop, or of a phase; -1: of the whole life.
Budget budgetOf(const Timeline& timeline, int item);

// Nothing runs without a compiler: `sass`, `source` and `compiled` may be null. The error of `estimate` where there is
// no time to share out.
Result<Timeline> timelineOf(const KernelAccesses& kernel, const KernelCount& count, const Result<Occupancy>& occupancy,
                            const Result<Estimate>& estimate, const Device& device, const sass::SassKernel* sass,
                            const codegen::Source* source, const CompiledCount* compiled,
                            const CalibratedConstants& fitted = {});

}  // namespace loom::model
