// The predicted time of a kernel whose factors go by the copy engine to the tensor cores of warpgroups.
#pragma once
#include "core/model/estimate.h"
#include "core/model/role_run.h"

namespace loom::model {

// The clock in MHz that power leaves while tensor cores are as busy as large products keep them; `bytes` is all data
// of the product. What the device states where nobody has measured it (Quantity::TensorClockMhz).
double loadedMegahertz(const Device& device, double bytes, const RoleConstants& constants = {});

// Puts the time that its roles take in place of the clocks of `estimate`, which has the kernel's pipes as written.
// Returns whether the kernel is such a one; if not, the estimate stays as it is.
bool estimateByRoles(Estimate& estimate, const KernelAccesses& kernel, const KernelCount& count,
                     const Occupancy& occupancy, const Device& device, const RoleConstants& constants = {});

// What happens while the first block of such a kernel lives: the run that the estimate goes by. Nothing for others.
std::optional<RoleTrace> roleTraceOf(const KernelAccesses& kernel, const KernelCount& count, const Occupancy& occupancy,
                                     const Device& device, const RoleConstants& constants = {});

}  // namespace loom::model
