// Tells whether a function's result may depend on the order in which its threads run.
#pragma once
#include "core/ir/stmt.h"

namespace loom::exec {

// Returns whether the result of a function may be another one if its loops over threads are run like serial loops, so
// that each statement must be run for all threads before the next one. That is so in three cases: the function places
// barriers (T.tvm_storage_sync), as in the example; it has threads and shared memory, through which the threads may
// pass values to each other; it has virtual threads. The last two cases don't count if some block has a reduction
// iterator whose value depends on a loop bound to threads, virtual threads or blocks: such a reduction is right when
// its iterations run one after another. Blocks along blockIdx.z count as threads if there is a buffer of scope
// shared.cluster, which a cluster shares.
//
//     for tx in thread_binding(32, "threadIdx.x"):
//         S[tx] = A[tx]
//         T.tvm_storage_sync("shared")
//         B[tx] = S[31 - tx]
bool runsAsThreads(const ir::Function& function);

// Return whether a buffer lies in memory that each thread has for itself (scope "local" or "local.…"), or in shared
// memory (scope "shared…").
bool isOwnOfThread(const ir::BufferNode& buffer);
bool isShared(const ir::BufferNode& buffer);

}  // namespace loom::exec
