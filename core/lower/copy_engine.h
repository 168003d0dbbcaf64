// Copies between global and shared memory by the copy engine of Hopper (TMA), which one thread asks for boxes.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of blocks, by sch.annotate(block, kCopy, "tma"): the copy engine does what the block copies. Ours.
inline constexpr const char* kCopy = "tileloom.copy";
// Of such a block, by sch.annotate(block, kEvict, "first") or "last": when the L2 cache gives up what it copies. Ours.
inline constexpr const char* kEvict = "tileloom.evict";

// Replaces the loops of such blocks by operations of the copy engine on boxes, before pipelines are made:
//
//     for i, j in 128, 64: S[i, j] = G[bx * 128 + i, k * 64 + j]   →   tma.load S = G_map[bx * 128, k * 64]
//
// A box' line is a row of the copy, or as much of it as the block's swizzle spans. Conditions that keep indices of the
// matrix within its extents go: what a box has outside is zeros in shared memory, and isn't stored. Copies from shared
// to global memory are stored likewise, in groups that the thread which asks counts; where warpgroups have written the
// buffer, each warp asks for its own rows. Error
// "NotAKernel", with the rule and its numbers, for blocks that are no plain copy, whose loops are bound to threads,
// whose lines are no multiple of 16 bytes or longer than a box may have, or whose matrix has lines that aren't 16 bytes
// apart.
Result<void> useCopyEngine(device::Kernel& kernel);

}  // namespace loom::lower
