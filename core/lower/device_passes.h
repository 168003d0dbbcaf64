// The passes over the device program, in the order in which `lower` runs them.
#pragma once
#include "core/lower/convert.h"

namespace loom::lower {

// Loops whose iterations are lanes become vector accesses; `symbols` are the function's. Returns what is to be said of
// loops that have no vector form.
//
//     for v in vectorized(8): S[f // 8, f % 8 * 8 + v] = G[…, f % 8 * 8 + v]   →   S[f // 8, f % 8 * 8: 8 lanes] = G[…:
//     8 lanes]
//
// An access becomes a vector where it moves by one element a lane and starts at a multiple of the vector's width, at
// most 16 bytes; otherwise the widest power of two that does. What has no vector form stays an unrolled loop.
std::vector<device::Remark> vectorizeLoops(device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

// Virtual threads of the kernel run interleaved: each statement that depends on one is repeated for every virtual
// thread where it stands, with its own copy of the local memory allocated under the virtual thread's loop.
void interleaveVirtualThreads(device::Kernel& kernel);

// Barriers where a thread may use what another wrote since the last one, also from one iteration of a loop to the next.
// Error "NotAKernel" where one would stand in a branch that not all threads of the block take.
Result<device::Stmt> placeBarriers(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

// `if` around stores that threads of an axis that does not cover them would repeat, as far out as all statements inside
// agree.
device::Stmt placeGuards(const device::Kernel& kernel);

// Conditions on a thread's and block's indices alone move out of loops, whose every iteration would ask again.
//
//     for i in 3: if i < n && threadIdx.x < 4: S   →   if threadIdx.x < 4: for i in 3: if i < n: S
device::Stmt hoistConditions(const device::Kernel& kernel);

// Coordinates become numbers of elements, and buffers flat: `globals` names the parameters' flat ones. The last pass
// that changes an expression.
void flatten(device::Kernel& kernel, const GlobalBuffers& globals, const std::vector<ir::Symbol>& symbols);

// Gives each allocation in shared memory its place. Everything is dynamic where the static ones exceed 48 KiB.
void planSharedMemory(device::Kernel& kernel);

}  // namespace loom::lower
