// The predicted time of a kernel in which the copy engine (TMA) loads the factors of a matrix product to shared memory
// and warpgroups multiply them (wgmma). Its warps have roles: some ask for copies, others multiply and store.
#pragma once
#include "core/model/estimate.h"
#include "core/model/role_run.h"

namespace loom::model {

// Returns the clock rate, in MHz, that the power limit leaves while tensor cores reach the share
// RoleConstants::wallAt of their peak, as in large products. `bytes` is the size of all matrices of the product
// together. If that rate hasn't been measured on the device (Quantity::TensorClockMhz), the result is the clock rate
// that the device states, which must be known (Quantity::ClockMhz).
double loadedMegahertz(const Device& device, double bytes, const RoleConstants& constants = {});

// Replaces the clocks of `estimate`, which is the kernel's estimate from the use of pipes as written, by the clocks
// that a simulated run of the kernel's roles takes. Returns false, and leaves the estimate as it is, if the kernel's
// warps don't have such roles, the device's bandwidth of L2 isn't known, or the run can't be simulated; else true.
bool estimateByRoles(Estimate& estimate, const KernelAccesses& kernel, const KernelCount& count,
                     const Occupancy& occupancy, const Device& device, const RoleConstants& constants = {});

// Returns what happens during the life of the kernel's first block, in the simulated run that `estimateByRoles` takes
// its clocks from. Returns nothing if `estimateByRoles` returns false.
std::optional<RoleTrace> roleTraceOf(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                                     const Device& device, const RoleConstants& constants = {});

}  // namespace loom::model
