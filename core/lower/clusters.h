// Thread block clusters: blocks that run at the same time and reach each other's shared memory, so that one multicast
// copy brings a tile to several blocks. TVM has none of the annotations here. "Block" is a thread block below, where it
// isn't a block of the program that has an annotation.
#pragma once
#include <span>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Annotations of any block of the kernel's program, sch.annotate(block, kClusterX, n) and kClusterY: the number of
// thread blocks, neighbours along blockIdx.x or blockIdx.y, that are a cluster.
inline constexpr const char *kClusterX = "tileloom.cluster_x", *kClusterY = "tileloom.cluster_y";
// An annotation of a block of the program whose copy is done by the copy engine (tileloom.copy) and started by loading
// warps (tileloom.role), sch.annotate(block, kMulticast, "x") or "y": the tile is the same for the thread blocks of a
// cluster along this axis. Each of them starts the copy of an equal part of the tile's rows, which all of them get.
inline constexpr const char* kMulticast = "tileloom.multicast";

// The most thread blocks of a cluster that every GPU with clusters allows. Source: CUDA C Programming Guide, "Thread
// Block Clusters".
inline constexpr std::int64_t kMostBlocksOfCluster = 8;

// The number of rows after which a swizzle repeats (PTX ISA, "Shared memory layout of the tensor"). The rows that one
// block multicasts are a multiple of it (`useCopyEngine` refuses others).
inline constexpr std::int64_t kRowsTogether = 8;

// Follows kClusterX and kClusterY: sets Kernel::cluster, which stays 1 along an axis without annotation; of several
// blocks with one annotation the last one counts. Must run before `sliceBuffers` and `useCopyEngine`, which go by
// Kernel::cluster. Error "NotAKernel", with the rule and its numbers, where a value is no whole number from 1 to 8,
// where a cluster would have more than 8 blocks, or where the grid isn't a multiple of its blocks or has an extent that
// isn't constant.
Result<void> formClusters(device::Kernel& kernel);

// Returns the executing block's index in its cluster along an axis (0 to 2 for x to z), from 0 on.
device::Expr placeInCluster(const device::Kernel& kernel, std::size_t axis);
// Returns the rank in the cluster of the block with these indices in the cluster (`placeInCluster`) along x, y, z,
// counted along x first.
device::Expr numberInCluster(const device::Kernel& kernel, const std::array<device::Expr, 3>& places);

// Returns the axis that kMulticast of a block names, 0 for "x" and 1 for "y"; -1 if the block has no such annotation,
// or one with another value, which `useCopyEngine` refuses.
int multicastAxis(const device::BlockNode& block);

// Returns the mask of the blocks of the cluster that get what the executing block multicasts along the axis, 0 or 1 for
// x or y: bit r is the block of rank r.
device::Expr multicastBlocks(const device::Kernel& kernel, std::size_t axis);

// Returns whether the statement makes blocks of a cluster use each other's mbarriers: it has a copy to several blocks,
// or an arrival at an mbarrier of another block.
bool useOthersMbarriers(const device::Stmt& s);

// Returns the ranks of the other blocks of the cluster whose multicast copies reach this block's shared memory. Empty
// if the statement's copies aren't multicast.
std::vector<device::Expr> otherWriters(const device::Kernel& kernel, const device::Stmt& copies);

// Returns whether the expression has one value for all blocks of a cluster that differ along the axis alone, whatever
// the variables of `loops` are. False where it can't be proved.
bool sameInCluster(const device::Kernel& kernel, std::size_t axis, const device::Expr& e,
                   std::span<const device::LoopNode* const> loops);

}  // namespace loom::lower
