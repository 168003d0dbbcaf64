// The predicted time of a kernel whose factors go by the copy engine to the tensor cores of warpgroups.
#pragma once
#include "core/model/estimate.h"
#include "core/model/role_run.h"

namespace loom::model {

// Returns the clock, in MHz, that the power limit leaves while tensor cores are as busy as large products keep them.
// `bytes` is the size of all data of the product. If nobody has measured it (Quantity::TensorClockMhz), this is the
// clock that the device states.
double loadedMegahertz(const Device& device, double bytes, const RoleConstants& constants = {});

// Puts the time that its roles take in place of the clocks of `estimate`, which has the kernel's pipes as written.
// Returns whether the kernel is such a one; if not, the estimate stays as it is.
bool estimateByRoles(Estimate& estimate, const KernelAccesses& kernel, const KernelCount& count,
                     const Occupancy& occupancy, const Device& device, const RoleConstants& constants = {});

// Returns what happens while the first block of such a kernel lives, in the run that the estimate is made from. Returns
// nothing for other kernels.
std::optional<RoleTrace> roleTraceOf(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                                     const Device& device, const RoleConstants& constants = {});

}  // namespace loom::model
