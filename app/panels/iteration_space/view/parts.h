#pragma once

#include "app/panels/iteration_space/view/space.h"

namespace loom::session {

/// The data from which an IterationSpace partitions its box, the iterations of a block along up to three drawn axes.
/// Each coordinate of an iteration is `base` plus a sum of terms in loop variables. Loops, terms and conditions are
/// grouped into clusters: two loops belong to one cluster if a term or a condition depends on both, or if a third loop
/// belongs to one cluster with each; all loops bound to blockIdx are in one cluster, and so are all those bound to
/// threadIdx. Other loops of extent 1 join nothing: they are in one cluster, together with what depends on no loop but
/// these. What one cluster adds to the coordinates is independent of all other clusters, so the points of a piece (the
/// iterations in a part of the box) are all sums that take one point from each cluster. This keeps the enumeration
/// small: the combinations of loops are enumerated within a cluster only.
struct IterationParts {
  /// A loop around the block.
  struct Loop {
    const ir::VarNode* var = nullptr;  ///< never null; lives as long as the state that the space was made of
    std::int64_t min = 0, extent = 1;  ///< the variable takes the values min … min + extent - 1
    int hardware = -1;  ///< 0–2: bound to blockIdx.x, .y, .z; 3–5: threadIdx.x, .y, .z; -1: to neither
    int level = -1;     ///< index into `levels`, if `hardware` is -1 and `extent` is over 1; else -1 (`levelOf`)
    int cluster = -1;   ///< index into `clusters`
  };
  /// A summand of one coordinate: coefficient · atom.
  struct Term {
    std::size_t axis = 0;          ///< 0–2: the drawn axis
    std::int64_t coefficient = 1;  ///< iterations of the axis per unit of `atom`
    ir::Expr atom;                 ///< an integer expression in loop variables
    int cluster = -1;              ///< index into `clusters`
  };
  /// Loops, terms and conditions that depend on each other.
  struct Cluster {
    std::vector<int> loops, levels;    ///< indices into the vectors of the same names below
    std::vector<int> terms;            ///< indices into `terms` below
    std::vector<ir::Expr> conditions;  ///< an iteration is executed only where all of them are true
  };

  std::string block;  ///< name of the block whose iterations these are
  ir::Id blockId;
  std::array<SpaceAxis, 3> axes;  ///< the drawn axes
  std::vector<SpaceAxis> hidden;  ///< further iterators of the block, which aren't drawn
  Point tile{1, 1, 1};            ///< what one execution of the block computes: iterations along each drawn axis
  Point base{};                   ///< constant part of each coordinate, in iterations
  bool tensor = false;            ///< whether a tensor instruction computes the tile
  std::array<std::int64_t, 3> grid{1, 1, 1}, threads{1, 1, 1};  ///< launch: thread blocks, and threads of a block
  std::int64_t repeated = 1;       ///< how many threads reach each iteration, because no loop tells them apart
  bool isGuarded = false;          ///< whether a guard lets only one of these threads execute the iteration
  std::vector<SpaceLevel> levels;  ///< outermost first
  std::vector<Loop> loops;         ///< all loops around the block, outermost first
  std::vector<Term> terms;
  std::vector<Cluster> clusters;

  /// Returns the index of the first level of that kind, which for kBlocks is that of all loops bound to blockIdx, and
  /// for kWarps and kLanes of those bound to threadIdx; -1 if there is none.
  int levelOf(SpaceLevel::Kind kind) const;
  /// Fills in `clusters` and the `cluster` of each loop and term. To be called once, after all other members are set.
  /// `conditions` are those of the block and of the blocks around it.
  void group(const std::vector<ir::Expr>& conditions);
};

/// The private data of an IterationSpace.
struct IterationSpace::Parts : IterationParts {};

}  // namespace loom::session
