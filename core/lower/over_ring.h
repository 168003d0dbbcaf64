// Shared memory through which the sums of a matrix product go to global memory, and which lies in the bytes of the ring
// buffers from which the factors came.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of a block that writes sums to slots, versions of a buffer in shared memory (kSlots, ring_sizes.h),
// sch.annotate(block, kOverRing, 1): the slots lie in the bytes of the ring buffers, which are free by then, instead of
// in bytes of their own. It needs loading warps (roles.h), which fill the ring buffers, and thread blocks that compute
// one tile each: otherwise the copies for a next tile would already go to these bytes. compute-sanitizer's racecheck
// reports no race in such a kernel. racecheck can't run kernels with clusters, whether or not they have the annotation:
// it ends with an internal error (CUDA 13.0, seen for this project on an H200, 2026-11-30).
inline constexpr const char* kOverRing = "tileloom.over_ring";

// Returns the first block in the statement that has the annotation; null if none has it. Error "NotAKernel" if a value
// isn't 1, if several blocks have it, or if the annotated block writes no buffer.
Result<const device::BlockNode*> blockOverRing(const device::Stmt& s);

// Lets the buffers that `block` writes lie in the bytes of the ring buffers `rings`, by Allocation::phase: 1 for the
// rings, 2 for what the block writes. Error "NotAKernel" if one of all these buffers isn't allocated by the kernel in
// shared memory; nothing is checked besides. Called while loops are pipelined (PipelinedLoop::putOverRing), once the
// ring buffers have their slots. The caller also sets Allocation::awaits to the mbarrier that tells that the ring
// buffers are free.
Result<void> putOverRing(device::Kernel& kernel, const device::BlockNode& block,
                         const std::vector<device::Buffer>& rings);

}  // namespace loom::lower
