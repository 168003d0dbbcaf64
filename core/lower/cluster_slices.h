// Buffers that the blocks of a cluster share, a slice each ("distributed shared memory"), so that blocks that have each
// a part of a sum bring it together without global memory.
//
//     R = alloc_buffer((2, 64, 64), scope="shared.cluster")         a cluster of 2 blocks along blockIdx.z
//     for p in thread_binding(2, "blockIdx.z"):                     each block has a slice, R[blockIdx.z, :, :]:
//       R[p, …] = a part of the sum                            →    it writes its own,
//     for i0 in thread_binding(2, "blockIdx.z"): …                  a barrier of the cluster,
//       C[i0 * 32 + …] = R[0, i0 * 32 + …] + R[1, …]                and loads from both
//
// The barriers are those of `placeBarriers`.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Makes the first index of each access to a buffer of scope device::kSharedCluster choose the block whose shared memory
// is accessed, and sets Kernel::cluster. Error "NotAKernel", with the rule and its numbers, if there aren't as many
// blocks along blockIdx.z as the buffer has slices, if a cluster would have more blocks than the hardware allows, or if
// a block would write another's slice.
Result<void> sliceBuffers(device::Kernel& kernel);

// Returns whether the first index of such a buffer is known to be the executing block's own.
bool isOwnSlice(const device::Kernel& kernel, const device::Expr& slice);
// Returns the rank in the cluster of the block that has the slice. It differs from this block along blockIdx.z alone.
device::Expr blockOfSlice(const device::Kernel& kernel, const device::Expr& slice);

}  // namespace loom::lower
