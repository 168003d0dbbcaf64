// Asynchronous matrix products by a warpgroup (wgmma), which the warpgroup starts in groups and waits for later.
#pragma once
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of a block that multiplies, sch.annotate(block, kInFlight, n): n groups of products may be in flight
// while the next group is started; 0 for a block without it. TVM has no such annotation.
inline constexpr const char* kInFlight = "tileloom.in_flight";

// Returns the largest value of kInFlight at the blocks in the statement; 0 if no block has it, and for null. Error
// "NotAKernel" for other values than 0 to 7 (PTX ISA, wgmma.wait_group).
Result<int> inFlight(const device::Stmt& s);

// Makes groups of the products that stand together in the kernel, that is, of neighbouring statements with nothing but
// products in them, and a wait behind each group:
//
//     for k: for i: wgmma D(i) += A(i, k) · B(k)   →   fence; for k, i: …; commit; wait, all but the latest n groups
//
// n is that of the group's blocks, the largest of several (`inFlight`). If n groups stay in flight, further waits stand
// before anything else reads or writes the sums. Loops in a group, and loops whose variable chooses a sum, become loops
// that CUDA's compiler unrolls: registers have no variable numbers. Must run after `overlapLoops`, which gives the
// buffers that products read their versions (slots of a ring buffer), and before `placeBarriers`, which goes by the
// waits. Error "NotAKernel" as `inFlight`. Returns remarks on blocks of which fewer than n groups stay in flight,
// because the buffers in shared memory that they read have at most n versions.
Result<std::vector<device::Remark>> groupProducts(device::Kernel& kernel);

}  // namespace loom::lower
