// Warps with parts of their own: those that ask the copy engine for tiles, and those that multiply them.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Of blocks that the copy engine does (copy_engine.h), by sch.annotate(block, kRole, "load"): warps of their own ask
// for the copies, a ring ahead of those that use them. Ours.
inline constexpr const char* kRole = "tileloom.role";
// Of such a block and of the block of a product, by sch.annotate(block, kThreadRegisters, n): the registers that a
// thread of its warps has (setmaxnreg). Ours.
inline constexpr const char* kThreadRegisters = "tileloom.registers";

// Of such a block, by sch.annotate(block, kEarly, n): the copies of the first n iterations are asked for before the
// threads of the block meet, of no more than the ring has slots. All threads wait while they are asked for: at 1024³
// one iteration's are 1.5 % faster than those of all 8 slots (H200, measured for this project, 2026-11). Ours.
inline constexpr const char* kEarly = "tileloom.early";
// Returns the most iterations that blocks in the statement ask for early (kEarly); 0 if none asks. Error "NotAKernel"
// for a value that is no whole number from 0 on.
Result<int> askedEarly(const device::Stmt& s);

// Returns whether a block in the statement has the role.
bool isLoader(const device::Stmt& s);

// Returns the statement as one of the warps that load. `splitRoles` takes it out of the other warps' program.
device::Stmt ofLoaders(device::Stmt s);

// Divides the kernel's body into two where statements are of the warps that load: theirs, with all loops and conditions
// around, and the others'. The threads that load are a warpgroup more along threadIdx.y, of which one warp works. Error
// "NotAKernel", with the rule and its numbers, where the others' threads aren't warpgroups, where there would be too
// many threads, and for numbers of registers that the hardware doesn't give.
Result<void> splitRoles(device::Kernel& kernel);
// Returns the statement under the condition that only the warps that load execute it, after `splitRoles`. `kernel` must
// have such warps.
device::Stmt whereLoading(const device::Kernel& kernel, device::Stmt s);

}  // namespace loom::lower
