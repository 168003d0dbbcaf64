// Operations that a whole warp or warpgroup executes together need all its threads: the 32 lanes of a warp lie along
// threadIdx.x, to which no loop around such an operation may be bound.
#pragma once
#include "core/ir/stmt.h"
#include "core/lower/launch.h"

namespace loom::lower {

constexpr std::int64_t kWarpLanes = 32, kWarpgroupThreads = 128, kWarpsOfWarpgroup = kWarpgroupThreads / kWarpLanes;

// Checks that groups of threads execute their operations as a whole. Error "NotAKernel", with the block, the loop and
// the step that would help, if an operation of a warp stands
//  - under a loop bound to threadIdx.x: each lane would repeat it;
//  - in a kernel whose threadIdx.x isn't whole warps: some of its lanes would not exist;
//  - in a block of its own whose loops are bound to threads: the block is one warp's.
Result<void> checkExecutionGroups(const ir::Stmt& nest, const Launch& launch);

}  // namespace loom::lower
