// A GPU that has no file in assets/devices, as its driver tells of it.
#pragma once
#include "core/gpu/driver.h"
#include "core/model/device.h"

namespace loom::gpu {

// Returns the device as a file of assets/devices would describe it: limits, sizes and clocks from the driver's
// attributes, peaks that follow from them, and what the CUDA C++ Programming Guide says of all devices of a compute
// capability. Each figure has its source. Rates that are stated nowhere (L2, tensor cores) are missing until they are
// measured. Error "NoSuchDevice" for the CPU device, for an unknown compute capability, or if attributes are missing.
Result<model::Device> describe(const DeviceInfo& info);

}  // namespace loom::gpu
