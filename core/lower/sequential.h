// A scheduled program as one thread would run it: what its text means, whether or not it can be a kernel.
#pragma once
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Every loop runs in order, all memory is plain memory, and tensor intrinsics are loops over the tiles that their
// blocks view. The result lowers to kernels of one thread. Loops, blocks and parameters keep their ids.
//
//     for i in thread_binding(8, "threadIdx.x")          for i in range(8)
//     X_shared = T.alloc_buffer(…, scope="shared")   →   X_shared = T.alloc_buffer(…)
//     T.tvm_mma_sync(C.data, …, A.data, …, B.data, …)    for m, n, k: C[m, n] = C[m, n] + A[m, k] * B[k, n]
//
// Error "NotExecutable" for an operation that has no such meaning here, and for a product of fragments of which none of
// the loads says how B lies.
Result<ir::Function> sequential(const ir::Function& function);

}  // namespace loom::lower
