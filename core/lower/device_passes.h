// The passes over the device program, in the order in which `lower` runs them.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// The body of a loop whose iterations become the lanes of vector accesses.
//
//     for v in vectorized(8): S[f * 8 + v] = G[f // 8 * 1024 + f % 8 * 8 + v]   →   S[ramp(f * 8, 1, 8)] = G[ramp(…, 1,
//     8)]
//
// An access becomes a vector where its index moves by one element a lane and starts at a multiple of the vector's
// width, at most 16 bytes; otherwise the widest power of two that does. What has no vector form stays an unrolled loop.
// `ranges` bounds the variables in scope.
device::Stmt vectorize(const device::Stmt& body, const ir::Var& var, std::int64_t lanes,
                       const std::vector<std::pair<ir::Var, ir::Range>>& ranges);

// Virtual threads of the kernel run interleaved: each statement that depends on one is repeated for every virtual
// thread where it stands, with its own copy of the local memory allocated under the virtual thread's loop.
void interleaveVirtualThreads(device::Kernel& kernel);

// Barriers where a thread may use what another wrote since the last one, also from one iteration of a loop to the next.
// Error "NotAKernel" where one would stand in a branch that not all threads of the block take.
Result<device::Stmt> placeBarriers(const device::Kernel& kernel);

// `if` around stores that threads of an axis that does not cover them would repeat, as far out as all statements inside
// agree.
device::Stmt placeGuards(const device::Kernel& kernel);

// Conditions on a thread's and block's indices alone move out of loops, whose every iteration would ask again.
//
//     for i in 3: if i < n && threadIdx.x < 4: S   →   if threadIdx.x < 4: for i in 3: if i < n: S
device::Stmt hoistConditions(const device::Kernel& kernel);

}  // namespace loom::lower
