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

/// The bytes that one block of the program reads of a buffer, or writes to it, over the whole grid, as written.
struct MovedBytes {
  ir::Id buffer;
  std::string name;
  MemoryLevel level = MemoryLevel::kGlobal;
  bool write = false;
  double bytes = 0;  ///< negative: can't be computed
};

/// One split, fuse, … on the way to a loop: "i 32 × j 32 → fuse, step 5 → [1024]".
struct Ancestry {
  struct Source {
    std::string name;
    std::int64_t extent = -1;  ///< iterations; -1 for a block and for an extent that isn't constant
  };
  std::vector<Source> sources;        ///< loops or blocks that it was made from
  std::string primitive;              ///< "split"
  int step = 0;                       ///< number of the state that it led to
  std::vector<std::int64_t> results;  ///< extents of all loops that the step made of the sources
  int mine = 0;                       ///< index into `results` of the loop that the next step of the ancestry uses
};

enum class NestChange : std::uint8_t { kNone, kModified, kNew };

/// An axis of the launch along which threads repeat a block's work, because no loop around the block is bound to it.
struct Repetition {
  std::string thread;  ///< "threadIdx.x"
  std::int64_t extent = 1;
  bool guarded = false;  ///< whether lowering adds a guard, so that only the first thread along the axis does the work
};

/// The figures of the same row in the state compared with; negative means what it means in NestRow.
struct PreviousFigures {
  std::int64_t extent = -1;
  double runs = -1, flops = -1, bytes = -1;
};

/// When a statement of a loop whose iterations overlap is executed, as the loop's annotations say.
struct Staged {
  int stage = 0;       ///< so many iterations later than a statement of stage 0
  int order = 0;       ///< its place among what is executed together, from 0
  bool async = false;  ///< whether its copies are only started, and waited for by whoever reads them
};

/// A row of the loop nest: a loop, a block, or the initialization (T.init) of a block.
struct NestRow {
  enum class Kind : std::uint8_t { kLoop, kBlock, kInit };
  Kind kind = Kind::kLoop;
  ir::Id id;  ///< of the loop or block; of the block for its init
  int parent = -1, depth = 0;
  int end = 0;         ///< its descendants are [index + 1, end)
  int children = 0;    ///< directly below
  std::string name;    ///< as the script prints it
  std::string handle;  ///< the variable that the schedule assigned it to ("l18"); empty: none
  double runs = 0;     ///< executions of its body over the whole grid; negative: not constant

  // Loops.
  HardwareAxis axis = HardwareAxis::kSerial;
  char component = 0;          ///< 'x', 'y', 'z' of a bound one
  std::int64_t extent = -1;    ///< -1: not constant
  bool sameThreads = false;    ///< whether a loop around it is bound to the same axis, so that it multiplies no runs
  bool reduction = false;      ///< whether it feeds a reduction axis of a block below
  std::vector<Ancestry> from;  ///< oldest first; empty: the function had the loop from the start
  /// What all blocks below the loop compute and move, over the whole grid and as written. Accesses to registers move no
  /// bytes.
  struct Below {
    double flops = 0, global = 0, shared = 0;  ///< FLOP; bytes read and written
    bool known = true;                         ///< false if the figures of some block below can't be computed
  };
  Below below;
  /// Another loop of the nest that split and fuse made, directly or indirectly, from the same original loop.
  struct RelatedLoops {
    int row = 0;
    bool sibling = false;  ///< whether the same step made both
  };
  std::vector<RelatedLoops> kin;
  int stages = 0;  ///< of a loop whose iterations overlap: how many are on their way at a time; 0 for others
  bool annotatesAsync = false;  ///< of such a loop: whether it says which stages are asynchronous
  /// Of a row right below such a loop: one entry, but three for a loop whose own iterations overlap, whose first ones,
  /// middle and last ones are statements of their own. Empty for other rows.
  std::vector<Staged> staged;

  // Blocks and inits.
  double flops = -1;  ///< over the whole grid, repetitions not counted; negative: can't be computed, or nothing below
  std::vector<MovedBytes> moved;
  double bytes = -1;  ///< for the column of bytes: read and written, without registers; of a copy, the bytes copied
  bool copy = false;  ///< whether the block only copies a buffer from one memory level to another
  MemoryLevel source = MemoryLevel::kGlobal, target = MemoryLevel::kGlobal;  ///< of a copy
  std::vector<Repetition> repeated;
  double holds = 1;       ///< share of its runs in which the block's condition is true, 0 to 1; 1 if that isn't known
  std::string intrinsic;  ///< the tensor intrinsic that tensorize put in its place; empty: none

  /// Sentences on what the schedule says of the row and the kernel doesn't do, or does otherwise (device::Remark).
  std::vector<Message> unheeded;

  NestChange change = NestChange::kNone;
  std::optional<PreviousFigures> was;  ///< while two states are compared and the other one has the row, too
};

/// Loops and blocks of a state in program order, parents before children.
struct LoopNest {
  std::vector<NestRow> rows;
  double flops = 0;             ///< of all blocks, repetitions not counted
  double repeatedFlops = 0;     ///< the same with repetitions
  std::vector<ir::Id> removed;  ///< by the last step

  int find(ir::Id id) const;  ///< row of the loop or block; -1: none
};

/// Returns the loop nest of the last state of `input`. `kernel`, the kernel of that state, tells what tensor-core
/// statements compute and what lowering guards; null if there is none. A pure function.
LoopNest loopNestOf(const StatePath& input, const document::KernelText* kernel);

/// Returns the loop nest that was made along with a program; empty if the session was given no `ViewMakers`.
const LoopNest& nestOf(const Program& program);

/// Rows that are drawn on one line: a chain of loops with one child each, and the block at its end. A folded chain
/// shows a chip for each loop.
struct NestLine {
  int first = 0, last = 0;  ///< rows, both included; each the only child of the one before
};
/// Returns the lines of a nest. Without `fold` each row is a line. With it, chains of serial loops become one line, and
/// so do chains of any loops that end in a block without loops below; a row that has changed or is in `open` is not
/// folded.
std::vector<NestLine> nestLines(const LoopNest& nest, bool fold, const std::vector<ir::Id>& open);
/// Returns the same with `fold`, where only rows for which `shut` returns true may join a line.
std::vector<NestLine> nestLines(const LoopNest& nest, const std::function<bool(const NestRow&)>& shut);

}  // namespace loom::session
