#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "core/tune/candidate_steps.h"

namespace loom::tune {

/// A serial loop of a state (a program after some scheduling steps) whose body first copies tiles from global to shared
/// memory and then computes with them, and the software pipeline that the loop's annotations ask for. In it, copies for
/// later iterations overlap the products of this one.
struct CopyingLoop {
  ir::Id loop;
  std::vector<ir::Id> copies;    ///< statements of the body that only copy: loops or blocks, at least one
  std::vector<ir::Id> products;  ///< the statements of the body after the copies, at least one
  std::optional<ir::Id> inner;   ///< a loop within a single statement of `products` that first fills registers or
                                 ///< fragments from shared memory and then computes; nothing: there is none
  int stage = 0;                 ///< iterations by which products lag behind the copies; 0: there is no overlap
  bool copiesFirst = true;       ///< whether the copies of an iteration of the pipeline stand before its products
  bool asynchronous = false;     ///< whether copies are asynchronous: started, and waited for later
  bool fragmentsAhead = false;   ///< whether `inner` is annotated as a pipeline itself
  int unrolled = 0;              ///< factor by which the pipelined loop is to be unrolled; 0: no annotation
};

/// Returns the copying loops of a state, outermost first. Bound, vectorized and unrolled loops are left out.
std::vector<CopyingLoop> copyingLoops(const schedule::State& state);

/// Returns candidates for the next step at state `node` of a history, the tree of states, that pipeline its copying
/// loops, for each loop those that change less first: overlap, asynchronous copies, one more slot of the ring buffer of
/// tiles in shared memory, unrolling by the number of slots (or by twice that number, if the former makes no kernel),
/// fragments read ahead, a swizzle instead of padding, and ldmatrix and mma.sync instead of wmma. The last replaces the
/// history's steps from the one that made the fragments on. All lead to kernels; steps that lowering would ignore are
/// left out, such as asynchronous copies of 2 bytes. The caller sets their `grid` and `threads` by countThreads. The
/// result is deterministic, but once `stop` becomes true the candidates found so far are returned. Takes about 100 ms
/// at most.
std::vector<CandidateStep> pipelineSteps(const document::History& history, int node,
                                         const schedule::Environment& environment, const std::atomic<bool>& stop);

}  // namespace loom::tune
