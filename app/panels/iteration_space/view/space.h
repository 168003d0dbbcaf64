#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "core/arith/integer_runs.h"
#include "core/schedule/state.h"

namespace loom::session {

/// An axis of the box: an iterator of the block, counted as the unscheduled program counts it.
struct SpaceAxis {
  std::string name;
  std::int64_t extent = 1;
  bool reduction = false;
};

/// One cut of the box: what is left of it once one more thing is chosen.
struct SpaceLevel {
  enum class Kind : std::uint8_t {
    kBlocks,  ///< of the grid, x fastest
    kWarps,   ///< 32 neighbours of a block's threads, x fastest
    kLanes,   ///< of a warp
    kLoop,    ///< the runs of one loop
  };
  Kind kind = Kind::kLoop;
  HardwareAxis axis = HardwareAxis::kSerial;
  std::string name;           ///< of a loop
  std::vector<ir::Id> loops;  ///< whose values are fixed with it
  std::int64_t count = 1;
};

/// What a piece covers along one axis.
struct AxisRange {
  std::int64_t first = 0;
  std::int64_t run = 1;     ///< neighbours
  std::int64_t runs = 1;    ///< of them
  std::int64_t stride = 0;  ///< from one run to the next; 0: one run
  bool even = true;         ///< false: runs or gaps differ; `run` and `stride` are the first ones
  std::int64_t size = 1;    ///< integers covered
};

struct PartitionPart {
  std::int64_t first = 0, count = 1;  ///< children that it stands for
  std::vector<arith::Cuboid> parts;   ///< empty: it has no iterations
  arith::Cuboid bounds;
};

/// The children of what is chosen at the levels before.
struct Partition {
  std::vector<PartitionPart> pieces;  ///< several children each where there are too many to draw
  std::int64_t merged = 1;            ///< children in a piece
  std::int64_t chosen = 0;
  PartitionPart lit;               ///< the chosen child
  std::array<AxisRange, 3> cover;  ///< of the chosen child
  std::int64_t points = 0;         ///< of the chosen child
  bool box = true;                 ///< it is all points between its bounds
  bool product = true;             ///< it is all combinations of what it covers along the axes
  bool whole = false;              ///< its parts are too many: its bounds stand for it
  bool fills = false;              ///< the pieces fill what is cut, so that nothing can be seen between them
  bool alike = true;               ///< all pieces have the extents of the first
  std::array<std::int64_t, 3> across{1, 1, 1};  ///< different places of the pieces' children along each axis
};

/// Cuts down to a level.
struct IterationView {
  std::vector<std::int64_t> path;  ///< chosen child of every level
  int level = -1;                  ///< the last that is cut; -1: the box is whole
  std::vector<Partition> cuts;     ///< by level, up to `level`
};

/// The iterations of a state's main block as a box, and how the schedule cuts it: by evaluating the values that the
/// loops give to the block's iterators. Immutable.
class IterationSpace {
 public:
  /// Of the block that does most, as `start` (the state before any step) counts its iterations. Errors: "NoBlock",
  /// "NotConstant" when an extent isn't known.
  static Result<std::shared_ptr<const IterationSpace>> of(const schedule::State& start, const schedule::State& state,
                                                          const LoopNest& nest);
  ~IterationSpace();

  const std::string& block() const;
  ir::Id blockId() const;
  /// The three that are drawn; further ones of extent 1 stand in where the block has fewer.
  const std::array<SpaceAxis, 3>& axes() const;
  /// Those that the block has besides; pieces are shown as if one looked along them.
  const std::vector<SpaceAxis>& hidden() const;
  /// What one run of the block computes at once: more than 1 × 1 × 1 of a tile of a tensor instruction.
  const arith::Point& tile() const;
  bool tensor() const;
  const std::vector<SpaceLevel>& levels() const;
  /// The level whose choice fixes the loop; -1: none.
  int levelOf(ir::Id loop) const;
  int levelOf(SpaceLevel::Kind kind) const;
  /// Threads of the launch that reach each iteration: no loop around the block is bound to their axes.
  std::int64_t repeated() const;
  /// Lowering lets the first of these do it; else all of them do.
  bool oneWorks() const;

  /// The path brought into bounds; missing ends are 0.
  std::vector<std::int64_t> clamped(std::vector<std::int64_t> path) const;
  /// Cuts along `path` down to `level`, at most `piecesAtMost` pieces a cut. Some ms. Errors: "TooMany" where a piece
  /// joins too many values to be told, "NotEvaluable" for indices that aren't integers' arithmetic.
  Result<IterationView> view(std::vector<std::int64_t> path, int level, int piecesAtMost = 1536) const;

 private:
  struct Parts;
  class Cutter;
  explicit IterationSpace(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace loom::session
