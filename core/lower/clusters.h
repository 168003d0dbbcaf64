// Clusters: blocks that run at once and reach each other's shared memory, so that one copy brings a tile to several.
#pragma once
#include <span>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of a block of the kernel, by sch.annotate(block, kClusterX, n): so many neighbours along blockIdx.x (blockIdx.y) are
// a cluster. Ours.
inline constexpr const char *kClusterX = "tileloom.cluster_x", *kClusterY = "tileloom.cluster_y";
// Of a block that the copy engine does (copy_engine.h) and warps of their own ask for, by sch.annotate(block,
// kMulticast, "x") or "y": what it copies is the same for the blocks of a cluster along this axis. Each asks for an
// equal part of the rows, which all get. Ours.
inline constexpr const char* kMulticast = "tileloom.multicast";

// CUDA C Programming Guide, "Thread Block Clusters": what every GPU that has clusters allows.
inline constexpr std::int64_t kMostBlocksOfCluster = 8;

// Rows after which a swizzle repeats (PTX ISA, "Shared memory layout of the tensor"): a part of a tile has whole
// groups.
inline constexpr std::int64_t kRowsTogether = 8;

// Follows kClusterX and kClusterY: sets Kernel::cluster. Error "NotAKernel", with the rule and its numbers, where a
// cluster would have more blocks than the hardware allows, or where its blocks don't divide the grid.
Result<void> formClusters(device::Kernel& kernel);

// The block's place in its cluster along an axis, and the number of one there: x first, from 0 on.
device::Expr placeInCluster(const device::Kernel& kernel, std::size_t axis);
device::Expr numberInCluster(const device::Kernel& kernel, const std::array<device::Expr, 3>& places);

// The axis, 0 for x, that an annotated block names; -1 where it has no such annotation, or another value.
int multicastAxis(const device::BlockNode& block);

// The blocks of the cluster that get what a block multicasts along the axis: a bit each.
device::Expr multicastBlocks(const device::Kernel& kernel, std::size_t axis);

// Whether blocks of a cluster use each other's mbarriers: a copy comes to several, or a thread arrives at another's.
bool useOthersMbarriers(const device::Stmt& s);

// The other blocks of the cluster whose copies reach this block's shared memory, where the statement's copies are
// multicast. Numbers in the cluster. None without multicast: the own copies alone do.
std::vector<device::Expr> otherWriters(const device::Kernel& kernel, const device::Stmt& copies);

// Whether the expression has one value for all blocks of a cluster that differ along the axis alone, whatever the
// variables of `loops` are. False where it can't be proved.
bool sameInCluster(const device::Kernel& kernel, std::size_t axis, const device::Expr& e,
                   std::span<const device::LoopNode* const> loops);

}  // namespace loom::lower
