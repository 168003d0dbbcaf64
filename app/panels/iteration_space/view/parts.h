#pragma once

#include "app/panels/iteration_space/view/space.h"

namespace loom::session {

/// The coordinates of a block's runs as sums of terms, and the terms in clusters: two loops are in one cluster when a
/// term or a condition joins them. What a cluster adds depends on no other cluster, so that the points of a piece are
/// all sums of one of each cluster's.
struct IterationParts {
  struct Loop {
    const ir::VarNode* var = nullptr;
    std::int64_t min = 0, extent = 1;
    int hardware = -1;  ///< 0–2: blockIdx, 3–5: threadIdx
    int level = -1;     ///< of a serial one with more than one run
    int cluster = -1;
  };
  struct Term {
    std::size_t axis = 0;
    std::int64_t coefficient = 1;
    ir::Expr atom;
    int cluster = -1;
  };
  struct Cluster {
    std::vector<int> loops, levels;
    std::vector<int> terms;
    std::vector<ir::Expr> conditions;
  };

  std::string block;
  ir::Id blockId;
  std::array<SpaceAxis, 3> axes;
  std::vector<SpaceAxis> hidden;
  arith::Point tile{1, 1, 1}, base{};
  bool tensor = false;
  std::array<std::int64_t, 3> grid{1, 1, 1}, threads{1, 1, 1};
  std::int64_t repeated = 1;
  bool oneWorks = false;
  std::vector<SpaceLevel> levels;
  std::vector<Loop> loops;
  std::vector<Term> terms;
  std::vector<Cluster> clusters;
  bool empty = false;  ///< a condition that holds nowhere

  int digitOf(SpaceLevel::Kind kind) const;
  /// Makes the clusters.
  void group(const std::vector<ir::Expr>& conditions);
};

struct IterationSpace::Parts : IterationParts {};

}  // namespace loom::session
