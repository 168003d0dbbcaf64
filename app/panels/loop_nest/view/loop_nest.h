#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/session/program.h"
#include "core/device/hardware_axis.h"
#include "core/device/memory_level.h"
#include "core/document/kernel.h"

/// The loop nest of a program. A block is a TIR block (T.block) unless it is called a thread block.
namespace loom::session {

using device::HardwareAxis;
using device::MemoryLevel;

/// Returns the level at which the program places a buffer, by its storage scope: global memory for "global" and an
/// empty scope, shared memory for scopes that begin with "shared", and registers for all others.
MemoryLevel levelOf(const ir::BufferNode& buffer);

/// The bytes that one block of the program reads from a buffer, or writes to it, over the whole grid, counted from the
/// program as written: each access counts, also if it repeats an earlier one. Repetitions (`Repetition`) don't count.
struct MovedBytes {
  ir::Id buffer;
  std::string name;                          ///< name of the buffer
  MemoryLevel level = MemoryLevel::kGlobal;  ///< memory level of the buffer
  bool write = false;                        ///< whether the bytes are written
  double bytes = 0;                          ///< negative: can't be computed
};

/// One of the schedule steps (split, fuse, …) by which a loop or block came about: "i 32 × j 32 → fuse, step 5 →
/// [1024]".
struct Ancestry {
  /// A loop or block that the step was applied to.
  struct Source {
    std::string name;
    std::int64_t extent = -1;  ///< iterations; -1 for a block and for an extent that isn't constant
  };
  std::vector<Source> sources;        ///< the loops or blocks that the step was applied to
  std::string primitive;              ///< name of the primitive: "split"
  int step = 0;                       ///< number of the state that the step led to
  std::vector<std::int64_t> results;  ///< extents of all loops that the step made of the sources; -1: not constant
  /// Index into `results` of the loop that the next step of the ancestry uses; of the last step, of the row's loop.
  int mine = 0;
};

/// Whether a row is as in the parent state, or in the state compared with if there is one, or modified, or new. kNone
/// where there is neither.
enum class NestChange : std::uint8_t { kNone, kModified, kNew };

/// An axis of the launch along which threads, or thread blocks, repeat a block's work, because the block uses the
/// variable of no loop that is bound to the axis.
struct Repetition {
  std::string thread;       ///< "threadIdx.x", "blockIdx.y"
  std::int64_t extent = 1;  ///< threads, or thread blocks, along the axis
  bool guarded = false;  ///< whether lowering adds a guard, so that only the first thread along the axis does the work
};

/// The figures of a row in the state that this one is compared with; a negative figure means what it means in NestRow.
struct PreviousFigures {
  std::int64_t extent = -1;                  ///< iterations
  double runs = -1, flops = -1, bytes = -1;  ///< executions, FLOP and bytes over the whole grid
};

/// When a statement of a software-pipelined loop is executed, as the loop's annotations say. The iterations of such a
/// loop overlap.
struct Staged {
  int stage = 0;       ///< pipeline stage s: it executes iteration i while stage 0 executes iteration i + s
  int order = 0;       ///< place among the statements that are executed together in an iteration, from 0
  bool async = false;  ///< whether the statement's copies are asynchronous: started here, awaited before they are read
};

/// A row of the loop nest of a state (the program after some schedule steps): a loop, a block, or the initialization
/// (T.init) of a block.
struct NestRow {
  enum class Kind : std::uint8_t { kLoop, kBlock, kInit };
  Kind kind = Kind::kLoop;
  ir::Id id;                   ///< id of the loop or block; for an init, id of its block
  int parent = -1, depth = 0;  ///< index of the row around this one, -1 for none; number of rows around this one
  int end = 0;                 ///< the row's descendants are the rows [its own index + 1, end)
  int children = 0;            ///< number of rows directly below this one
  std::string name;            ///< name of the loop or block as the script prints it
  std::string handle;          ///< the variable that the schedule assigned the row to ("l18"); empty: none
  /// Executions of the row's body over the whole grid: the iterations of the loops around it and, of a loop, its own;
  /// of a block, only those in which its condition is true. Repetitions count only along axes to which a loop around
  /// the row is bound. Negative: not constant.
  double runs = 0;

  // Only of loops.
  HardwareAxis axis = HardwareAxis::kSerial;  ///< what executes the iterations: thread blocks, threads, one in turn, …
  char component = 0;        ///< last letter of "blockIdx.x", "threadIdx.x" or "vthread.y"; 0: bound to none of these
  std::int64_t extent = -1;  ///< iterations; -1: not constant
  bool sameThreads =
      false;  ///< whether a loop around is bound to the same axis, so that this loop doesn't multiply `runs`
  bool reduction = false;      ///< whether a reduction axis of a block below depends on the loop
  std::vector<Ancestry> from;  ///< the steps that made the loop, oldest first; set for blocks, too; empty: none did
  /// What all blocks below the loop, and their inits, compute and move over the whole grid as written, repetitions not
  /// counted. Accesses to registers move no bytes.
  struct Below {
    double flops = 0, global = 0, shared = 0;  ///< FLOP; bytes read and written in global, and in shared, memory
    bool known = true;  ///< false if the loop's runs, or figures of a block below, can't be computed
  };
  Below below;
  /// Another loop of the nest that split and fuse made, directly or indirectly, from the same original loop.
  struct RelatedLoops {
    int row = 0;           ///< index of the other loop's row
    bool sibling = false;  ///< whether one step made both loops
  };
  std::vector<RelatedLoops> kin;  ///< ascending by row; empty: none
  int stages = 0;                 ///< stages of a software-pipelined loop; 0 for other loops
  bool annotatesAsync = false;    ///< whether a pipelined loop has the annotation of asynchronous stages
  /// For a row right below a pipelined loop: one entry, or three if the row is a pipelined loop itself (for its
  /// prologue, its body and its epilogue). Empty for other rows, and if the loop's annotations don't fit its
  /// statements.
  std::vector<Staged> staged;

  // Only of blocks and inits.
  double flops = -1;  ///< FLOP over the whole grid, repetitions not counted; negative: none, or unknown
  /// One entry for each buffer and direction, or for each region of a block whose accesses a call hides; empty for a
  /// block with blocks inside.
  std::vector<MovedBytes> moved;
  /// Bytes read and written over the whole grid, without those in registers; for a copy, the bytes copied. Negative:
  /// can't be computed, or none.
  double bytes = -1;
  /// Whether the block only copies one buffer to another, not both in registers. Also set for an init that writes
  /// outside registers; its source is then kRegisters.
  bool copy = false;
  MemoryLevel source = MemoryLevel::kGlobal, target = MemoryLevel::kGlobal;  ///< levels of a copy
  std::vector<Repetition> repeated;  ///< axes along which threads or blocks repeat the work; empty: none, or not known
  /// Share, 0 to 1, of the iterations of the loops around the block in which its condition is true; 1 if that isn't
  /// known.
  double holds = 1;
  std::string intrinsic;  ///< the tensor intrinsic that `tensorize` replaced the block by; empty: none

  /// Warps of a thread block that execute the block, if the kernel's warps have several roles (some load, some
  /// multiply, …); empty if all do, if that isn't known, and where a block around this one has the same warps.
  std::set<int> warps;
  int turns = 0;     ///< warpgroups that take turns at the block's tiles (annotation tileloom.turns); 0: none do
  int inFlight = 0;  ///< groups of products that may be on their way (tileloom.in_flight) while others are started

  /// Sentences on what the schedule asks for in this row and the kernel doesn't do, or does otherwise (device::Remark).
  std::vector<Message> unheeded;

  NestChange change = NestChange::kNone;
  std::optional<PreviousFigures> was;  ///< figures in the state compared with; nothing if it lacks the row, or is none
};

/// Loops and blocks of a state in program order, parents before children.
struct LoopNest {
  std::vector<NestRow> rows;
  double flops = 0;             ///< FLOP of all blocks over the whole grid, repetitions not counted
  double repeatedFlops = 0;     ///< FLOP of all blocks over the whole grid, repetitions counted
  std::vector<ir::Id> removed;  ///< loops and blocks that the last step removed; empty in a comparison of states

  /// Returns the index of the row of a loop or block; -1 if there is none.
  int find(ir::Id id) const;
};

/// Returns the loop nest of the last state of `input`, with changes against the state before it; `was` and `unheeded`
/// stay empty. `kernel`, the kernel of that state, tells what tensor-core statements compute and what lowering guards;
/// null if there is none. A pure function.
LoopNest loopNestOf(const StatePath& input, const document::KernelText* kernel);

/// Returns the loop nest that was made along with a program; empty if the session was given no `ViewMakers` (functions
/// that make the data of panels whenever a program is made).
const LoopNest& nestOf(const Program& program);

/// Rows that are drawn on one line: a single row, or a folded chain of loops with one child each, which may end in a
/// block. The line of a chain shows a chip, a small box with letters and extent, for each loop.
struct NestLine {
  int first = 0, last = 0;  ///< first and last row of the line; each row is the only child of the row before
};
/// Returns the lines of a nest. If `fold` is false, each row is a line. Otherwise a chain of serial loops becomes one
/// line, and so does a chain of loops of any kind that ends in a block without rows below. A row that has changed, or
/// whose id is in `open`, shares no line with others.
std::vector<NestLine> nestLines(const LoopNest& nest, bool fold, const std::vector<ir::Id>& open);
/// Returns the lines with chains folded like those, but the rows that may share a line with others are those for which
/// `shut` returns true, whether they have changed or not.
std::vector<NestLine> nestLines(const LoopNest& nest, const std::function<bool(const NestRow&)>& shut);

}  // namespace loom::session
