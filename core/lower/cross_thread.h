// Reductions to which several threads of a thread block contribute. "Sum" stands for the result of any combiner
// (schedule::Reducer), such as a maximum or the pair of an argmax, and "add" for combining by it. The pass
// `cross_thread_reduction` replaces one block's reduction by the statements of TensorIR that are made here, inside the
// loops over the threads.
#pragma once
#include "core/lower/launch.h"
#include "core/schedule/reducer.h"

namespace loom::lower {

// The threads that share one sum, and where they lie in the thread block.
struct SharingThreads {
  std::int64_t count = 1;   // threads that share a sum
  std::int64_t others = 1;  // threads of the block divided by `count`
  // The thread's number among the threads of its sum, below `count`, and the number of its sum, below `groups`; both
  // int32. Set by `sharingThreads`, else null.
  ir::Expr index, group;
  // Number of different sums of the block. It is less than `others` if none of the loops is bound to a thread axis:
  // along this axis threads repeat each other's sums.
  std::int64_t groups = 1;
  bool sideBySide = true;  // the threads of one sum are neighbours: lanes of one warp, then of the next
  // Returns whether shuffles between lanes can make the sums: if the threads of each sum are neighbours, and lie within
  // a warp, are whole warps, or are all threads of the thread block.
  bool byShuffles() const;
};
// Returns which threads share a reduction. `launch` has the numbers of threads of a thread block along each axis.
// `loops` are the loops around it that are bound to threadIdx.x, y or z, outermost first; of several along one axis the
// innermost counts. `reduced` says of each whether it is a loop of the reduction, over which values are added.
SharingThreads sharingThreads(const Launch& launch, const std::vector<const ir::ForNode*>& loops,
                              const std::function<bool(const ir::ForNode*)>& reduced);

// The statements that add up what all threads of a sum hold.
struct SharedSum {
  ir::Stmt statements;              // null where there is nothing to do
  std::vector<ir::Expr> results;    // for each buffer of the reduction: the sum, in the threads that have it
  std::vector<ir::Buffer> buffers;  // buffers that the statements use, to be allocated around them
};
// Returns the statements that add up what each thread holds in `own`, which has a local buffer of one element for each
// buffer of the reduction; their names must begin with "in_thread_", which the names of further buffers replace. The
// statements overwrite these, and all threads of the block must execute them. They have no barriers: `placeBarriers`
// puts them in. Afterwards the thread of index 0 of each sum has the result, with `everywhere` all threads of the sum.
// `newId` returns ids for new buffers. Source: TVM 0.22, LowerThreadAllreduce, which shuffles over the same distances.
// Other than there, a second round takes place in every warp, not in the first one alone, and nothing is broadcast
// unless `everywhere`; each saves a barrier.
SharedSum sharedSum(const schedule::Reduction& reduction, const std::vector<ir::Buffer>& own,
                    const SharingThreads& threads, bool everywhere, const std::function<ir::Id()>& newId);

}  // namespace loom::lower
