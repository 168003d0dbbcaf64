// Warp specialization: some warps start the copies of tiles by the copy engine (TMA), others multiply the tiles.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// An annotation of blocks whose copies the copy engine does (tileloom.copy), sch.annotate(block, kRole, "load"):
// loading warps, which do nothing else, start the copies, as far ahead of the multiplying warps as the ring buffer has
// slots. TVM has no such annotation, nor the other two here.
inline constexpr const char* kRole = "tileloom.role";
// An annotation of a block with kRole, or of a block that multiplies, sch.annotate(block, kThreadRegisters, n): the
// number of registers for each thread of the warps that execute the block (setmaxnreg), a multiple of 8 from 24 to 256.
inline constexpr const char* kThreadRegisters = "tileloom.registers";

// An annotation of a block with kRole, sch.annotate(block, kEarly, n): the copies of the first n iterations, or of as
// many as the ring buffer has slots if these are fewer, are started right after the mbarriers are initialized, before
// the barrier by which the other threads learn of that. All threads wait meanwhile: for a product of 1024³, n = 1 makes
// the kernel 1.5 % faster than n = 8, all slots (H200, measured for this project, 2026-11).
inline constexpr const char* kEarly = "tileloom.early";
// Returns the largest value of kEarly at the blocks in the statement, which must not be null; 0 if no block has it.
// Error "NotAKernel" for a value that is no whole number from 0 on.
Result<int> askedEarly(const device::Stmt& s);

// Returns whether a block in the statement has the annotation kRole with the value "load". Null: false.
bool isLoader(const device::Stmt& s);

// Returns the statement marked as one that only the loading warps execute, for `splitRoles`. Null stays null.
device::Stmt ofLoaders(device::Stmt s);

// Divides the kernel's body into the statements marked by `ofLoaders`, with all loops and conditions around them, for
// the loading warps, and the other statements, for the multiplying warps. `overlapLoops` calls it after it has
// pipelined the loops, whose copies it marks, and before `awaitTransfers`. Does nothing if no statement is marked and
// no block has the annotation tileloom.turns (turns.h: warps that multiply take turns), which this also follows. The
// loading threads are one more warpgroup along threadIdx.y, of which one warp works. Error "NotAKernel", with the rule
// and its numbers, if the multiplying threads aren't warpgroups of 128 threads along threadIdx.x, one beside the other
// along threadIdx.y; if there would be too many threads; if only the loading or only the multiplying warps have
// kThreadRegisters, if blocks of the same warps ask for different numbers, or the hardware doesn't give such numbers of
// registers; and if tileloom.turns can't be followed, as without a marked statement.
Result<void> splitRoles(device::Kernel& kernel);
// Returns the statement under the condition that is true for all 128 threads of the loading warpgroup, and for no
// others. `splitRoles` must have made the kernel's loading warps.
device::Stmt whereLoading(const device::Kernel& kernel, device::Stmt s);

}  // namespace loom::lower
