// A scheduled program as one thread would run it. This gives a program a meaning even if it can't be a kernel, so that
// the executor can run it and compare its results.
#pragma once
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Returns the function with every loop serial, all memory plain, no annotations, and each tensor intrinsic written as
// loops over the tiles that its block views. The result lowers to kernels of one thread. Loops, blocks and parameters
// keep their ids; the new loops have ids that no schedule step gives.
//
//     for i in thread_binding(8, "threadIdx.x")          for i in range(8)
//     X_shared = T.alloc_buffer(…, scope="shared")   →   X_shared = T.alloc_buffer(…)
//     T.tvm_mma_sync(C.data, …, A.data, …, B.data, …)    for m, n, k: C[m, n] = C[m, n] + A[m, k] * B[k, n]
//
// Error "NotExecutable" if an operation has no sequential meaning here, or if no load of a product's B fragment says
// whether B is stored by rows or by columns.
Result<ir::Function> sequential(const ir::Function& function);

// Returns the function with its thread loops and its memory scopes, but each tensor intrinsic written as loops over the
// tiles that its block views. For analyses: all threads of a warp would repeat these loops. Error "NotExecutable" as
// `sequential`.
Result<ir::Function> callsAsLoops(const ir::Function& function);

}  // namespace loom::lower
