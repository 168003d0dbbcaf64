// Operations that a whole warp or warpgroup executes together need all its threads, which lie along threadIdx.x: 32
// lanes or 128 threads. So no loop around such an operation may be bound to threadIdx.x.
#pragma once
#include "core/ir/stmt.h"
#include "core/lower/launch.h"

namespace loom::lower {

constexpr std::int64_t kWarpLanes = 32, kWarpgroupThreads = 128, kWarpsOfWarpgroup = kWarpgroupThreads / kWarpLanes;

// Checks that groups of threads execute their operations as a whole. `nest` is the loop nest of a kernel, and `launch`
// is what findLaunch returns for it, by which x has its extent. Loops of extent 1 don't count. Error "NotAKernel", with
// the block, the loop and, if there is one, the schedule step that would help, if an operation of a warp or warpgroup
// stands
//  - under a loop bound to threadIdx.x: each thread would repeat it;
//  - in a kernel in which some loop is bound to threadIdx.x, but its extent is no multiple of 32 (warp), or isn't 128
//    (warpgroup);
//  - and, of a warp, in a TensorIR block that has a loop bound to any thread axis between itself and the operation: one
//    warp executes the whole block.
// PTX's own calls (T.ptx_…) may stand in one such loop of their block, bound to threadIdx.x with extent 32, which gives
// each lane its operands: the first and the third rule then don't apply to that loop.
// The same error for operations of any other group of threads, which kernels don't have yet.
Result<void> checkExecutionGroups(const ir::Stmt& nest, const Launch& launch);

}  // namespace loom::lower
