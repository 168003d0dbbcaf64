// Copies from shared to global memory, row by row, by the copy engine of Hopper (cp.async.bulk): each row is a span of
// neighbouring elements in both memories, so that no map of the matrix is needed.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Replaces the innermost loop of blocks with the annotation kCopy (copy_engine.h), sch.annotate(block, kCopy, "bulk"),
// by an operation that stores a whole row:
//
//     for i, j in 128, 64: G[bx * 128 + i, j] = S[i, j]   →   for i in 128: bulk.store G[bx * 128 + i, 0] = S[i, 0]
//                                                             commit stores
//
// The row goes along a loop that counts the last index of both buffers one by one; all other loops stay, and may be
// bound to threads: each thread then starts its own rows, and else one thread starts all. What conditions keep out
// isn't stored. The stores are counted in groups by the thread that starts them; `overlapLoops`, which must run later,
// places the waits (bulk_stores.h). This must run after `sliceBuffers`, and after `useCopyEngine`, which gathers the
// conditions of such kernels. Error "NotAKernel", with the rule and its numbers, for blocks that are no plain copy from
// the thread block's own shared memory to global memory, that no loop goes through element by element, whose rows have
// conditions within, or aren't proved to begin at multiples of 16 bytes and to be as long in both memories; for buffers
// with strides; for stores of what the kernel accesses elsewhere, too (used_elsewhere.h); and for values of kEvict
// other than "first" and "last". A kernel without such blocks stays as it is.
Result<void> storeRows(device::Kernel& kernel);

}  // namespace loom::lower
