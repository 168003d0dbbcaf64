// Operations that a whole warp or warpgroup executes together need all its threads: the 32 lanes of a warp lie along
// threadIdx.x, to which no loop around such an operation may be bound.
#pragma once
#include "core/ir/stmt.h"
#include "core/lower/launch.h"

namespace loom::lower {

constexpr std::int64_t kWarpLanes = 32, kWarpgroupThreads = 128, kWarpsOfWarpgroup = kWarpgroupThreads / kWarpLanes;

// Checks that groups of threads execute their operations as a whole. `nest` is the loop nest of a kernel, and `launch`
// has its launch dimensions (findLaunch). Error "NotAKernel", with the block, the loop and, if there is one, the
// schedule step that would help, if an operation of a warp or warpgroup stands
//  - under a loop bound to threadIdx.x: each thread would repeat it;
//  - in a kernel in which a loop bound to threadIdx.x has an extent that is no multiple of 32 (warp), or isn't 128
//    (warpgroup);
//  - in a block that has a loop bound to threads around the operation of a warp: the block is one warp's. PTX's own
//    calls (T.ptx_…) may stand in such a loop over the 32 lanes, which gives each lane its operands.
// The same error for operations of any other group of threads, which kernels don't have yet.
Result<void> checkExecutionGroups(const ir::Stmt& nest, const Launch& launch);

}  // namespace loom::lower
