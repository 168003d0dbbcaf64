// Which functions mean what they do by their threads.
#pragma once
#include "core/ir/stmt.h"

namespace loom::exec {

// Returns whether the meaning of a function may depend on its threads, so that it can't be run statement by statement:
// it places barriers (T.tvm_storage_sync), or it has threads and shared memory through which these may pass values to
// each other; or it has virtual threads, which do once what doesn't depend on their number. The latter two don't count
// if a block sums over a loop that is bound to threads or blocks. The blocks of a cluster count as threads, whose
// shared memory is shared.cluster.
//
//     for tx in thread_binding(32, "threadIdx.x"):
//         S[tx] = A[tx]
//         T.tvm_storage_sync("shared")
//         B[tx] = S[31 - tx]
bool runsAsThreads(const ir::Function& function);

// Return whether a buffer lies in memory that each thread has for itself, and in shared memory.
bool isOwnOfThread(const ir::BufferNode& buffer);
bool isShared(const ir::BufferNode& buffer);

}  // namespace loom::exec
