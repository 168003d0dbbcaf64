// Sums on their way to global memory that lie in the bytes of the ring buffers whose tiles they are the sums of.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of a block that writes slots in shared memory (kSlots, ring_sizes.h), sch.annotate(block, kOverRing,
// 1): the slots lie in the bytes of the ring buffers, which are free by then, instead of in bytes of their own. It
// needs loading warps (roles.h), who fill the ring buffers, and blocks of one tile each: those of a next tile would
// already be on their way.
// No rule makes such kernels: compute-sanitizer's racecheck reports a hazard in one (memcheck, synccheck and the
// reference are silent), and it isn't known yet whether it misses that one thread arrives for its whole warpgroup.
inline constexpr const char* kOverRing = "tileloom.over_ring";

// Returns the first block in the statement that has the annotation; null if none has it. Error "NotAKernel" if a
// value isn't 1, if several blocks have it, or if the block writes no buffer.
Result<const device::BlockNode*> blockOverRing(const device::Stmt& s);

// Lets what `block` writes lie in the bytes of the ring buffers `rings`, all of which are buffers of the kernel in
// shared memory, else error "NotAKernel". Called while loops are pipelined (PipelinedLoop::putOverRing), once the ring
// buffers have their slots. The caller sets Allocation::awaits, too, to the mbarrier that tells that they are free.
Result<void> putOverRing(device::Kernel& kernel, const device::BlockNode& block,
                         const std::vector<device::Buffer>& rings);

}  // namespace loom::lower
