// Device memory that is given back together.
#pragma once
#include <cstdint>
#include <vector>

#include "core/gpu/driver.h"

namespace loom::gpu {

// Memory of the device, and modules of kernels, that live as long as this object. It can't be copied, as a copy would
// release them again. `driver` must have opened a device, and must outlive the object.
class DeviceMemory {
 public:
  explicit DeviceMemory(Driver& driver) : driver_(driver) {}
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() {
    (void)driver_.synchronize();  // kernels that still run need their module
    for (Driver::Module m : modules_) driver_.unloadModule(m);
    for (Address a : owned_) driver_.release(a);
  }
  // Loads the kernels of a cubin. Errors are those of Driver::loadModule.
  Result<Driver::Module> load(const std::vector<char>& cubin) {
    auto module = driver_.loadModule(cubin);
    if (module) modules_.push_back(*module);
    return module;
  }
  // Allocates so many bytes (one for 0), which aren't set to anything. Errors are those of Driver::allocate.
  Result<Address> take(std::int64_t bytes) {
    auto at = driver_.allocate(bytes);
    if (at) owned_.push_back(*at);
    return at;
  }

 private:
  Driver& driver_;
  std::vector<Address> owned_;
  std::vector<Driver::Module> modules_;
};

}  // namespace loom::gpu
