// Sums that threads of a block share: what `cross_thread_reduction` (passes.h) makes of one block's reduction, as
// statements of TensorIR between the loops over its threads.
#pragma once
#include "core/lower/launch.h"
#include "core/schedule/reducer.h"

namespace loom::lower {

// The threads that share one sum, and their place in the kernel's blocks of threads.
struct SharingThreads {
  std::int64_t count = 1;   // threads that share a sum
  std::int64_t others = 1;  // sums that a block of threads makes at a time, those that it repeats among them
  ir::Expr index, group;    // the thread's number among those of its sum; the number of the sum
  std::int64_t groups = 1;  // how many sums have a number
  bool sideBySide = true;   // the threads of one sum are neighbours: lanes of one warp, then of the next
  // Returns whether shuffles bring the sums together: if each lies within a warp, or takes whole warps, or is the
  // block's only one.
  bool byShuffles() const;
};
// Returns which threads share a reduction. `loops` are the loops around it that are bound to thread axes, outermost
// first; `reduced` says of each whether the reduction adds over it.
SharingThreads sharingThreads(const Launch& launch, const std::vector<const ir::ForNode*>& loops,
                              const std::function<bool(const ir::ForNode*)>& reduced);

// A reduction's values on their way from all threads to one sum.
struct SharedSum {
  ir::Stmt statements;              // null where there is nothing to do
  std::vector<ir::Expr> results;    // by buffer of the reduction: its value, in the threads that have it
  std::vector<ir::Buffer> buffers;  // that the statements use, to be allocated around them
};
// Brings together what each thread holds in `own`, buffers of one element by buffer of the reduction, which it
// overwrites. The result is that of thread 0 of each sum; of all of its threads with `everywhere`. `newId` makes ids
// for buffers. Source: TVM 0.22, LowerThreadAllreduce, which shuffles the same halves; a second round takes place in
// every warp, not in the first one alone, which saves a barrier, and so does a broadcast that nobody reads.
SharedSum sharedSum(const schedule::Reduction& reduction, const std::vector<ir::Buffer>& own,
                    const SharingThreads& threads, bool everywhere, const std::function<ir::Id()>& newId);

}  // namespace loom::lower
