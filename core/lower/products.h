// Products that a warpgroup starts and doesn't wait for (wgmma).
#pragma once
#include <vector>

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of the block of a product, by sch.annotate(block, kInFlight, n): so many groups of products may be on their way while
// the next one is started. Ours; 0 where a block doesn't say it.
inline constexpr const char* kInFlight = "tileloom.in_flight";

// Returns how many groups of products the blocks in the statement leave in flight: the most that one of them asks for.
// Error "NotAKernel" for other values than 0 to 7 (PTX ISA, wgmma.wait_group).
Result<int> inFlight(const device::Stmt& s);

// Makes groups of the products that stand together, and waits for them:
//
//     for k: for i: wgmma D(i) += A(i, k) · B(k)   →   fence; for k, i: …; commit; wait, all but the latest n groups
//
// Where some stay on their way, the sums are waited for before anything else reads or writes them. Loops in a group,
// and those that choose a sum, are unrolled: registers have no variable numbers. Error "NotAKernel" as `inFlight`.
// Returns remarks on blocks of which fewer groups stay on their way, because what they read has too few versions.
Result<std::vector<device::Remark>> groupProducts(device::Kernel& kernel);

}  // namespace loom::lower
