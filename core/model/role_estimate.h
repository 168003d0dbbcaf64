// The predicted time of a kernel in which the copy engine (TMA) loads the factors of a matrix product to shared memory
// and warpgroups multiply them (wgmma). Its warps have roles: some ask for copies, others multiply and store.
#pragma once
#include "core/model/estimate.h"
#include "core/model/role_run.h"

namespace loom::model {

// Returns the clock rate, in MHz, that the power limit leaves while tensor cores reach 77 % of their peak
// (RoleConstants::wallAt), as in large products. `bytes` is the size of all matrices of the product together: the rate
// is higher if they fit in L2. If no rate under load has been measured on the device (Quantity::TensorClockMhz), the
// result is the clock rate that the device states (Quantity::ClockMhz), which must be known in either case.
double loadedMegahertz(const Device& device, double bytes, const RoleConstants& constants = {});

// Replaces an estimate by that of a simulated run of the kernel, in which warps of different roles, the copy engine and
// tensor cores wait for each other: the pipes' clocks, the time in µs, the clock rate, whether power binds, and the
// words on how they were found. `estimate` is the kernel's estimate from the use of pipes; of it, the pipes "issue" and
// "memory" (or kColdMemory) stay, and the time is no shorter than "memory" needs. The device's clock rate must be
// known. Returns false, and leaves the estimate as it is, if the kernel's warps don't have such roles, the device's
// bandwidth of L2 isn't known, or the run can't be simulated; else true.
bool estimateByRoles(Estimate& estimate, const KernelAccesses& kernel, const KernelCount& count,
                     const Occupancy& occupancy, const Device& device, const RoleConstants& constants = {});

// Returns what each warpgroup, the copy engine and tensor cores do during the life of the kernel's first block, in
// clocks since it began, in the simulated run that `estimateByRoles` takes its clocks from. Returns nothing if
// `estimateByRoles` returns false.
std::optional<RoleTrace> roleTraceOf(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                                     const Device& device, const RoleConstants& constants = {});

}  // namespace loom::model
