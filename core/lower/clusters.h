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

// Returns the block's place in its cluster along an axis (0 to 2 for x to z), as an expression.
device::Expr placeInCluster(const device::Kernel& kernel, std::size_t axis);
// Returns the rank of the block at these places along x, y, z, counted along x first.
device::Expr numberInCluster(const device::Kernel& kernel, const std::array<device::Expr, 3>& places);

// Returns the axis that an annotated block names (0 to 2 for x to z); -1 if it has no such annotation, or another
// value.
int multicastAxis(const device::BlockNode& block);

// Returns the mask of the blocks of the cluster that get what a block multicasts along the axis: bit r is the block of
// rank r.
device::Expr multicastBlocks(const device::Kernel& kernel, std::size_t axis);

// Returns whether blocks of a cluster use each other's mbarriers: a copy comes to several, or a thread arrives at
// another's.
bool useOthersMbarriers(const device::Stmt& s);

// Returns the ranks of the other blocks of the cluster whose multicast copies reach this block's shared memory. Empty
// if the statement's copies aren't multicast.
std::vector<device::Expr> otherWriters(const device::Kernel& kernel, const device::Stmt& copies);

// Returns whether the expression has one value for all blocks of a cluster that differ along the axis alone, whatever
// the variables of `loops` are. False where it can't be proved.
bool sameInCluster(const device::Kernel& kernel, std::size_t axis, const device::Expr& e,
                   std::span<const device::LoopNode* const> loops);

}  // namespace loom::lower
