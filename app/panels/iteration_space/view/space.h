#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/iteration_space/view/cuboid.h"
#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/schedule/state.h"

/// The iteration space of the main block of a state, drawn as a three-dimensional box. A state is the program after
/// some schedule steps; its main block is the block (a statement with its iterators, as in TVM) that does the most
/// work. The schedule partitions the box level by level: first by thread block, then by warp, by lane, and by each
/// other loop. At each level a person chooses one child, and the next level partitions that child. A point of the box
/// is one iteration of the block; its coordinates are integers from 0 on, in iterations.
namespace loom::session {

/// An axis of the box: one iterator of the block, with the name (without the prefix "v") and the extent that it has in
/// the unscheduled program; where the block's iterators no longer correspond to those, with what it has now.
struct SpaceAxis {
  std::string name;
  std::int64_t extent = 1;  ///< iterations
  bool reduction = false;   ///< whether the iterator is a reduction axis; otherwise it is a spatial one
};

/// One level at which the box is partitioned. Its children are numbered from 0 to `count` - 1.
struct SpaceLevel {
  enum class Kind : std::uint8_t {
    kBlocks,  ///< a child is a thread block of the grid; blockIdx.x varies fastest
    kWarps,   ///< a child is a warp of the thread block: 32 threads with consecutive numbers, threadIdx.x fastest
    kLanes,   ///< a child is one lane of the warp
    kLoop,    ///< a child is one iteration of another loop: serial, unrolled, vectorized, or of virtual threads
  };
  Kind kind = Kind::kLoop;
  HardwareAxis axis = HardwareAxis::kSerial;  ///< the hardware axis whose colour and letter the level is drawn with
  std::string name;                           ///< of the loop, for kLoop; empty for the other kinds
  /// Loops whose iteration is fixed once a child is chosen. A loop over the threads of several warps is among those of
  /// kWarps and of kLanes; it is fixed once both are chosen.
  std::vector<ir::Id> loops;
  std::int64_t count = 1;  ///< number of children
};

/// The coordinates that a piece covers along one axis, as runs of consecutive integers. Extents are in iterations.
struct AxisRange {
  std::int64_t first = 0;   ///< the smallest coordinate
  std::int64_t run = 1;     ///< length of the first run
  std::int64_t runs = 1;    ///< number of runs
  std::int64_t stride = 0;  ///< distance between the starts of the first two runs; 0 if there is only one run
  bool even = true;         ///< whether all runs are `run` long and `stride` apart
  std::int64_t size = 1;    ///< number of coordinates covered; 0 if the piece is empty
};

/// The iterations that one child, or several neighbouring children together, execute.
struct PartitionPart {
  std::int64_t first = 0, count = 1;  ///< children that it stands for
  std::vector<Cuboid> parts;          ///< cuboids that cover its iterations; empty: it has none
  Cuboid bounds;                      ///< smallest cuboid around all parts; without parts, it means nothing
};

/// How one level partitions what was chosen at the levels before it.
struct Partition {
  std::vector<PartitionPart> pieces;  ///< all children; neighbours share a piece where there are too many to draw
  std::int64_t merged = 1;            ///< children in each piece; the last piece may have fewer
  std::int64_t chosen = 0;            ///< number of the chosen child
  PartitionPart chosenPart;           ///< the chosen child alone
  std::array<AxisRange, 3> cover;     ///< what the chosen child covers along each axis
  std::int64_t points = 0;            ///< iterations of the chosen child
  bool box = true;                    ///< whether the chosen child is one cuboid without holes
  bool product = true;                ///< whether the chosen child is the full product of its `cover`s along the axes
  bool boundsOnly =
      false;           ///< whether bounding boxes are drawn instead of exact parts, because these would be too many
  bool fills = false;  ///< whether the pieces leave no gap in what is partitioned, so that inner faces are never seen
  bool alike = true;   ///< whether the bounds of all pieces have the same extents
  std::array<std::int64_t, 3> across{1, 1, 1};  ///< number of distinct positions of the children along each axis; all 0
                                                ///< if there are too many to count
};

/// The partitions from the outermost level down to a level.
struct IterationView {
  std::vector<std::int64_t> path;     ///< number of the chosen child, for every level of the space
  int level = -1;                     ///< the innermost level that is partitioned; -1 if the box is shown whole
  std::vector<Partition> partitions;  ///< one for each level from 0 to `level`
};

/// The iterations of a state's main block as a box, and how the schedule partitions it. The partitions are found by
/// evaluating the expressions that bind the block's iterators to the loops. Immutable, so that any thread may use it.
class IterationSpace {
 public:
  /// Returns the space of the block of `state` that does the most work; `start` is the state before any step, whose
  /// iterators give the axes their names and extents, and `nest` is the loop nest of `state`. Errors: "NoBlock" if the
  /// function has no block, "NotConstant" if the extent of an iterator or of a loop around the block isn't constant.
  static Result<std::shared_ptr<const IterationSpace>> of(const schedule::State& start, const schedule::State& state,
                                                          const LoopNest& nest);
  ~IterationSpace();

  /// Returns the name and the id of the block.
  const std::string& block() const;
  ir::Id blockId() const;
  /// Returns the three axes that are drawn: the longest ones, in the block's order. A block with fewer iterators gets
  /// axes of extent 1 without a name.
  const std::array<SpaceAxis, 3>& axes() const;
  /// Returns the block's iterators beyond the three that are drawn. Pieces are projected along these.
  const std::vector<SpaceAxis>& hidden() const;
  /// Returns the tile that one execution of the block computes at once: more than 1 × 1 × 1 for a tensor instruction.
  const Point& tile() const;
  /// Returns whether that tile has more than one iteration.
  bool tensor() const;
  /// Returns the levels from the outermost to the innermost. Levels with a single child are left out, and blocks, warps
  /// or lanes that no loop around the block is bound to.
  const std::vector<SpaceLevel>& levels() const;
  /// Returns the first level that has `loop` among its `loops`; -1 if there is none.
  int levelOf(ir::Id loop) const;
  /// Returns the first level of that kind; -1 if there is none.
  int levelOf(SpaceLevel::Kind kind) const;
  /// Returns how many threads of the launch execute each iteration. More than 1 if the kernel has blocks or threads
  /// along an axis to which no loop around this block is bound; threads along threadIdx.x aren't counted for a tensor
  /// instruction, which they execute together.
  std::int64_t repeated() const;
  /// Returns whether lowering guards the repeated iterations so that only the first of these threads executes them.
  bool isGuarded() const;

  /// Returns `path` with one entry for each level, each moved into the range of its level; missing entries become 0.
  std::vector<std::int64_t> clamped(std::vector<std::int64_t> path) const;
  /// Returns the partitions along `path` down to `level`, each with at most `piecesAtMost` pieces. Both arguments are
  /// clamped. Takes some milliseconds. Errors: "TooMany" if a piece depends on more combinations of loops than can be
  /// enumerated, "NotEvaluable" if an index or a condition isn't integer arithmetic on loop variables.
  Result<IterationView> view(std::vector<std::int64_t> path, int level, int piecesAtMost = 1536) const;

 private:
  struct Parts;
  class Cutter;
  explicit IterationSpace(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::session
