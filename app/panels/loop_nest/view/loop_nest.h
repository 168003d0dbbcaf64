#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/program.h"
#include "core/device/hardware_axis.h"
#include "core/device/memory_level.h"
#include "core/document/kernel.h"

namespace loom::session {

using device::HardwareAxis;
using device::MemoryLevel;

/// Returns the level at which the program places a buffer: global memory, shared memory or registers.
MemoryLevel levelOf(const ir::BufferNode& buffer);

/// What one block reads of a buffer, or writes to it, over the whole grid, as the program is written.
struct MovedBytes {
  ir::Id buffer;
  std::string name;
  MemoryLevel level = MemoryLevel::kGlobal;
  bool write = false;
  double bytes = 0;  ///< negative: can't be told
};

/// One split, fuse, … on the way to a loop: "i 32 × j 32 → fuse, step 5 → [1024]".
struct Ancestry {
  struct Source {
    std::string name;
    std::int64_t extent = -1;  ///< -1: no loop, or not constant
  };
  std::vector<Source> sources;        ///< loops or blocks that it was made from
  std::string primitive;              ///< "split"
  int step = 0;                       ///< number of the state that it led to
  std::vector<std::int64_t> results;  ///< extents of all loops that the step made of the sources
  int mine = 0;                       ///< which of them leads on
};

enum class NestChange : std::uint8_t { kNone, kModified, kNew };

/// Threads of a kernel that do a block's work once more, since no loop around it is bound to them.
struct Repetition {
  std::string thread;  ///< "threadIdx.x"
  std::int64_t extent = 1;
  bool guarded = false;  ///< lowering lets one of them do it
};

/// What the counterpart of a row has in the state compared with; negative as in NestRow.
struct PreviousFigures {
  std::int64_t extent = -1;
  double runs = -1, flops = -1, bytes = -1;
};

/// A loop, a block, or the start value that a block gives its result.
struct NestRow {
  enum class Kind : std::uint8_t { kLoop, kBlock, kInit };
  Kind kind = Kind::kLoop;
  ir::Id id;  ///< of the loop or block; of the block for its init
  int parent = -1, depth = 0;
  int end = 0;         ///< its descendants are [index + 1, end)
  int children = 0;    ///< directly below
  std::string name;    ///< as the script prints it
  std::string handle;  ///< as the schedule calls it ("l18"); empty: it has no name there
  double runs = 0;     ///< of its body, over the whole grid; negative: not constant

  // Loops.
  HardwareAxis axis = HardwareAxis::kSerial;
  char component = 0;          ///< 'x', 'y', 'z' of a bound one
  std::int64_t extent = -1;    ///< -1: not constant
  bool sameThreads = false;    ///< a loop around it is bound to the same axis: its runs are not more
  bool reduction = false;      ///< feeds a reduction axis of a block below
  std::vector<Ancestry> from;  ///< oldest first; empty: the function had it
  /// What the blocks below compute and move, over the whole grid and as written; registers move nothing.
  struct Below {
    double flops = 0, global = 0, shared = 0;  ///< FLOP; bytes read and written
    bool known = true;                         ///< false: something below can't be told
  };
  Below below;
  /// Loops of the nest that split and fuse made from the same one: by the same step, or from what came of it.
  struct RelatedLoops {
    int row = 0;
    bool sibling = false;  ///< by the same step
  };
  std::vector<RelatedLoops> kin;

  // Blocks and inits.
  double flops = -1;  ///< over the whole grid, repetitions not counted; negative: can't be told, or nothing below
  std::vector<MovedBytes> moved;
  double bytes = -1;  ///< what the column shows: all but registers; of a copy what it copies
  bool copy = false;  ///< from one level to another, unchanged
  MemoryLevel source = MemoryLevel::kGlobal, target = MemoryLevel::kGlobal;  ///< of a copy
  std::vector<Repetition> repeated;
  double holds = 1;       ///< share of its loops' runs in which its condition holds; 1 also where that can't be told
  std::string intrinsic;  ///< that tensorize put in its place; empty: none

  /// What the schedule says of it and the kernel doesn't do, as English sentences (core/lower, Remark).
  std::vector<Message> unheeded;

  NestChange change = NestChange::kNone;
  std::optional<PreviousFigures> was;  ///< while two states are compared, where the other has it, too
};

/// Loops and blocks of a state in program order, parents before children.
struct LoopNest {
  std::vector<NestRow> rows;
  double flops = 0;             ///< of all blocks, repetitions not counted
  double repeatedFlops = 0;     ///< the same with repetitions
  std::vector<ir::Id> removed;  ///< by the last step

  int find(ir::Id id) const;  ///< row of the loop or block; -1: none
};

/// A pure function of the states; `kernel` (may be null) says what tensor-core statements do and what lowering guards.
LoopNest loopNestOf(const StatePath& input, const document::KernelText* kernel);

/// Returns the loop nest that was made along with a program; empty if the session was given no `ViewMakers`.
const LoopNest& nestOf(const Program& program);

/// Rows that share a line: a chain of loops with one child each, and the block at its end. Folded ones show a chip per
/// loop.
struct NestLine {
  int first = 0, last = 0;  ///< rows, both included; each the only child of the one before
};
/// `fold` joins chains of serial loops, and of any loops that end in a block without loops below, unless one of them is
/// changed or in `open`. Otherwise a row is a line.
std::vector<NestLine> nestLines(const LoopNest& nest, bool fold, const std::vector<ir::Id>& open);
/// The same chains of all rows of which `shut` holds.
std::vector<NestLine> nestLines(const LoopNest& nest, const std::function<bool(const NestRow&)>& shut);

}  // namespace loom::session
