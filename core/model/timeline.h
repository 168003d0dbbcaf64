// The life of one thread block: its actions in program order, divided into phases at the barriers, with the use that
// each action makes of each pipe. The predicted time is distributed over the phases. A phase takes as long as its
// busiest pipe, plus the latency that no other warp hides, so that the parts add up to the time that `estimate`
// predicts.
//
//   fill accumulators                                   phase
//   k_0 = 0 … 15                                        loop: one of its equal passes (iterations) is stored
//     copy X, copy Y, barrier                           phase
//     load fragments, multiply                          phase
//   store                                               phase
#pragma once
#include <array>

#include "core/codegen/cuda.h"
#include "core/model/estimate.h"

namespace loom::model {

// The resources between which a block's time is divided: accesses to global memory (Copy), to shared memory,
// arithmetic, and the issue of instructions with barriers. Copies and shared memory use the same pipe, that of a
// multiprocessor's memory instructions, so that their clocks add up, unless L2 or device memory limits the copies; the
// other resources work in parallel.
enum class Track : std::uint8_t { Copy, Shared, Arithmetic, Issue };
inline constexpr int kTracks = 4;
// The arithmetic unit that Track::Arithmetic stands for in a kernel: the busiest one, since units work in parallel.
enum class Unit : std::uint8_t { Fma, Half, Tensor };
const char* nameOf(Track track);                  // "copy", "shared", "arithmetic" or "issue"
using TrackClocks = std::array<double, kTracks>;  // a number of clocks for each Track, by its value

// One statement during one pass of its phase, executed by all warps of the block.
struct TimelineAction {
  enum class Kind : std::uint8_t { Start, Copy, Load, Multiply, Store, Barrier };
  // Start: sets an initial value. Copy: global to shared memory. Load: to registers. Multiply: arithmetic. Store: to
  // global memory.
  Kind kind = Kind::Start;
  ir::Id block;                     // the TIR block that the statement belongs to; none for barriers
  std::string name;                 // the name of that TIR block
  std::vector<int> accesses, work;  // indices into KernelAccesses::accesses and ::work
  std::vector<ir::Buffer> reads, writes;
  bool asynchronous = false;  // whether a copy is only started here and another statement waits for its completion
  double executions = 0;      // executions of the statement by warps, summed over the warps of the block, as written
  // Bytes of global and of shared memory that all warps of the thread block access, and their FLOP, as written.
  double globalBytes = 0, sharedBytes = 0, flops = 0;
  PipeUsage demand;      // of the whole thread block, from the machine code if it is known, else as written
  TrackClocks clocks{};  // clocks of the block's life that each track is busy (see Timeline::stretch)
  TrackClocks waits{};   // clocks of exposed latency, by the track that is waited for; 0 without machine code
};

// A node of the timeline's tree: a loop whose passes follow one another; a phase; a loop inside a phase, whose passes
// the warps execute independently (Inner); or an action. Nodes are in program order, each followed by those inside it.
struct TimelineItem {
  enum class Kind : std::uint8_t { Loop, Phase, Inner, Action };
  Kind kind = Kind::Phase;
  int parent = -1, end = 0;  // index of the item around it, -1: none; those inside it are [its own index + 1, end)
  int loop = -1;             // a loop's index into KernelAccesses::loops; else -1
  ir::Var var;               // a loop's variable; else null
  ir::Id id;                 // a loop's id in the scheduled program; else none
  std::int64_t extent = 1;   // passes of a loop; else 1
  int index = -1;            // index into Timeline::phases or ::actions; -1 for loops
  double clocks = 0;         // length of one pass of a Loop, or of a Phase; 0 for other items
};

// What is done during one phase of a copy that is only started by its statement, and that others wait for later.
struct CopyPart {
  int action = -1;      // the statement that starts the copy, as an index into Timeline::actions
  double from = 0;      // clocks since the phase began, its waits and the copies that end within it not counted
  double clocks = 0;    // clocks of Track::Copy, within one occurrence of the phase
  bool before = false;  // whether it was started in a phase before, or in the pass before of the loop around the phase
};

// The part of a block's life between two barriers.
struct TimelinePhase {
  double times = 1;  // how often it occurs in a block's life
  // Clocks that each track is busy in one occurrence: sums over its actions, but for Track::Copy if `copies` has any:
  // then those of `copies` and of the copies that end within the phase.
  TrackClocks clocks{};
  TrackClocks waits{};  // clocks of exposed latency in one occurrence: sums over its actions
  // Decides `throughput`; the larger of Copy and Shared if their sum does, and Copy if `copies` take most of it.
  Track busiest = Track::Issue;
  // Clocks without waiting: the largest of copy + shared, arithmetic and issue. If Timeline::bySecondLevel is true or
  // shareByRoles (timeline_roles.h) made the clocks, copies run beside shared memory, and it is the largest of the four
  // (memory instructions of copies still take turns with those of shared memory), or more where `copies` need it.
  double throughput = 0;
  // Of `throughput`, the clocks of the busiest track, or of Copy and of Shared if they take turns and are the busiest;
  // and of Copy, those by which `copies` make the phase longer. The sum is `throughput`; more if shareByRoles made the
  // clocks.
  TrackClocks exposed{};
  // If Timeline::bySecondLevel is true: what is done of asynchronous copies, in the order of time. They go on behind
  // their phase where it has no time for them; what a pass of a loop leaves is done in its next pass, and what the last
  // one leaves behind the loop. Empty if it
  // is false and if shareByRoles made the clocks.
  std::vector<CopyPart> copies;
  double length() const;  // clocks with waiting: `throughput` plus the sum of `waits`
  // Of `exposed` of Track::Copy, the clocks that no arithmetic covers: all of it, but where there are `copies`, which
  // run beside arithmetic, what is longer than that.
  double uncovered() const;
};

// The life of one block: what it does in which order, and for how many clocks.
struct Timeline {
  std::vector<TimelineAction> actions;
  std::vector<TimelinePhase> phases;
  std::vector<TimelineItem> items;
  // The item of the loop whose pass is called a k step: of the loops with barriers, the innermost one that multiplies,
  // the last of several, or if none multiplies the innermost one. In a kernel without any barrier: the outermost loop
  // around arithmetic along which the index of its result doesn't change (a loop of a reduction), or else the outermost
  // loop around arithmetic. -1: there is none, as in a kernel with barriers outside of loops only.
  int step = -1;
  double clocks = 0;    // length of a block's life
  double rounds = 1;    // how many lives of blocks follow one another on the busiest multiprocessor
  double resident = 1;  // blocks that share a multiprocessor at a time
  double stretch = 1;   // clocks of the block's life for each clock that it would take alone on a multiprocessor
  // The clock rate that the device states, in MHz, at which all clocks here count; and the time of the launch in µs.
  double megahertz = 0, launchMicroseconds = 0;
  double microseconds = 0;     // predicted time of the kernel: clocks · rounds / megahertz + launch
  Unit unit = Unit::Fma;       // the unit with most of the clocks of Track::Arithmetic
  bool asCompiled = false;     // whether machine code was used; otherwise waits aren't known
  bool bySecondLevel = false;  // whether copies are limited by L2 or device memory, which all multiprocessors share
};

// How the time of a part of a block's life is spent. The sums of `exposed` and of `waits` add up to `clocks`, unless
// shareByRoles made the timeline's clocks: then `exposed` may have more, as Copy and Shared work in parallel there.
struct Budget {
  double clocks = 0;
  TrackClocks busy{};  // clocks in which each track works
  // Sums of TimelinePhase::exposed.
  TrackClocks exposed{};
  TrackClocks waits{};   // clocks of exposed latency, by the track that is waited for
  double uncovered = 0;  // the sum of TimelinePhase::uncovered
};
// Returns the budget of one pass of a Loop, or of one occurrence of a Phase. `item` is an index into Timeline::items;
// -1 for the whole life. For an Inner loop or an action all figures are 0.
Budget budgetOf(const Timeline& timeline, int item);

// Makes the timeline of a kernel. `sass` (the machine code), `source` (the CUDA text that it was compiled from) and
// `compiled` (its counts) are null without a compiler. `fitted` has the constants of the cost model. Returns the error
// of `estimate` or `occupancy` if there is no time to distribute.
Result<Timeline> timelineOf(const KernelAccesses& kernel, const KernelCount& count, const Result<Occupancy>& occupancy,
                            const Result<Estimate>& estimate, const Device& device, const sass::Kernel* sass,
                            const codegen::Source* source, const CompiledCount* compiled,
                            const CalibratedConstants& fitted = {});

}  // namespace loom::model
