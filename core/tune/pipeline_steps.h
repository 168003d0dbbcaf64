#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// A loop whose body first copies tiles from global to shared memory and then computes with them, and what its
/// annotations say of it.
struct CopyingLoop {
  ir::Id loop;
  std::vector<ir::Id> copies;    ///< statements of the body that only copy: loops or blocks, at least one
  std::vector<ir::Id> products;  ///< the statements after them, at least one
  std::optional<ir::Id> inner;   ///< a loop within a single statement of `products` that first fills registers or
                                 ///< fragments from shared memory and then computes; nothing: there is none
  int stage = 0;                 ///< iterations that products are behind the copies; 0: they take turns
  bool copiesFirst = true;       ///< whether the copies of a turn stand before its products
  bool asynchronous = false;     ///< whether copies are only started
  bool fragmentsAhead = false;   ///< whether `inner` is a pipeline itself
  int unrolled = 0;              ///< turns in one iteration of the made loop; 0: not said
};

/// Returns such loops of a state, outermost first. Loops that are bound, vectorized or unrolled are none.
std::vector<CopyingLoop> copyingLoops(const schedule::State& state);

/// Returns the next steps of pipelines over each such loop, those that change less first: overlap, asynchronous
/// copies, a slot more, fragments read ahead, the ring unrolled, a swizzle instead of padding, and, as an edit of the
/// steps since fragments were made, ldmatrix and mma.sync instead of wmma. All are kernels; steps that lowering would
/// not follow are left out, such as asynchronous copies of 2 bytes. Deterministic; returns what it has found so far
/// once `stop` becomes true. Takes up to some 100 ms.
std::vector<CandidateStep> pipelineSteps(const document::History& history, int node,
                                         const schedule::Environment& environment, const std::atomic<bool>& stop);

}  // namespace loom::tune
