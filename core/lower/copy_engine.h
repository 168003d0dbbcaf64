// Copies between global and shared memory by the copy engine of Hopper (TMA), of which one thread starts each. One
// operation moves a box: some neighbouring rows, and some neighbouring columns of these, of a matrix in global memory.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of blocks, sch.annotate(block, kCopy, "tma"): the copy engine does the block's copy, in boxes. The
// value "bulk" asks for rows (bulk_rows.h); others have no effect. TVM has no such annotation.
inline constexpr const char* kCopy = "tileloom.copy";
// An annotation of a block with kCopy (others ignore it), sch.annotate(block, kEvict, "first") or "last": when the L2
// cache evicts the data that the block copies. TVM has no such annotation.
inline constexpr const char* kEvict = "tileloom.evict";

// Replaces the loops of blocks with kCopy by operations of the copy engine on boxes. This must run after `formClusters`
// (clusters.h), since multicast copies go by Kernel::cluster, and before `overlapLoops`, which gives the operations
// their mbarriers and waits:
//
//     for i, j in 128, 64: S[i, j] = G[bx * 128 + i, k * 64 + j]   →   tma.load S = G_map[bx * 128, k * 64]
//
// A line of a box is a row of the copy, or as much of it as the swizzle of the shared buffer spans (annotation kSwizzle
// of a block that writes it, swizzle.h); a longer row is several boxes side by side. A copy of more than 256 rows is as
// few boxes of equal height as can hold it, and refused if its rows can't be divided so. Conditions that keep indices
// of the matrix within its extents are removed: elements of a box outside of the matrix become zeros in shared memory,
// and aren't stored. Stores from shared to global memory are counted in groups by the thread that starts them; if
// warpgroups have written the buffer, each warp starts the stores of its own rows. Error "NotAKernel", with the rule
// and its numbers, for copies that the copy engine can't do, such as blocks that are no plain copy, whose loops are
// bound to threads, whose lines are no multiple of 16 bytes or longer than 256 elements, or whose matrix has rows that
// aren't a multiple of 16 bytes apart; for stores of what the kernel accesses elsewhere, too (used_elsewhere.h); and
// for values of kEvict and of the annotation tileloom.multicast (clusters.h) that can't be followed.
Result<void> useCopyEngine(device::Kernel& kernel);

}  // namespace loom::lower
