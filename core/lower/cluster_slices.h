// Buffers of which each block of a cluster holds one slice in its shared memory ("distributed shared memory"). For
// example, blocks that each have a part of a sum add up the parts without global memory.
//
//     R = alloc_buffer((2, 64, 64), scope="shared.cluster")         a cluster of 2 blocks along blockIdx.z
//     for p in thread_binding(2, "blockIdx.z"):                     each block has a slice, R[blockIdx.z, :, :]:
//       R[p, …] = a part of the sum                            →    it writes its own,
//     for i0 in thread_binding(2, "blockIdx.z"): …                  a barrier of the cluster,
//       C[i0 * 32 + …] = R[0, i0 * 32 + …] + R[1, …]                and loads from both
//
// `placeBarriers`, which runs later, places the barriers.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Gives each buffer of scope device::kSharedCluster the memory of one slice in each block, and sets Kernel::cluster
// along z. Accesses keep all their indices: the first one, the number of the slice, gets the stride 0, and `flatten`
// makes a load from another's slice one from the shared memory of `blockOfSlice` (device::inBlock). In pointers of
// operations the slice is taken off the offset. Must run after `formClusters` (clusters.h), which sets it along x and
// y, and while accesses still have one index for each dimension, before `flatten`. Error "NotAKernel", with the rule
// and its numbers, if there aren't as many blocks along blockIdx.z as the buffer has slices, if a cluster would have
// more blocks than the hardware allows, if such a buffer has one dimension only, or if a block would write another's
// slice, or read another's slice by an operation of a warp or warpgroup. Kernels without such buffers stay as they are.
Result<void> sliceBuffers(device::Kernel& kernel);

// Returns whether `slice`, the first index of an access to such a buffer before or after `sliceBuffers`, is known to be
// the executing block's own; false if that can't be proved.
bool isOwnSlice(const device::Kernel& kernel, const device::Expr& slice);
// Returns whether the loaded element is known to lie in the executing block's own memory, or in global memory: true
// but for loads of a buffer of scope kSharedCluster whose slice isn't the block's own.
bool isOwnMemory(const device::Kernel& kernel, const ir::LoadNode& load);
// Returns the rank in the cluster of the block that has the slice with this first index. Kernel::cluster must be set
// (`sliceBuffers`). That block and the executing one have the same indices along blockIdx.x and blockIdx.y.
device::Expr blockOfSlice(const device::Kernel& kernel, const device::Expr& slice);

}  // namespace loom::lower
