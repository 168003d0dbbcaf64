// A GPU that has no file in assets/devices, as its driver tells of it.
#pragma once
#include "core/gpu/driver.h"
#include "core/model/device.h"

namespace loom::gpu {

// Limits, sizes and clocks from the driver's attributes, peaks that follow from them, and what the CUDA C++ Programming
// Guide says of all devices of a compute capability; each figure with its source. Rates that nobody stated (L2, tensor
// cores) are missing until they are measured. Error "NoSuchDevice": a compute capability that nothing is known of, or
// attributes that are missing.
Result<model::Device> describe(const DeviceInfo& info);

}  // namespace loom::gpu
