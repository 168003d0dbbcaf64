#include "core/model/model.h"

namespace loom::model {

KernelModel modelOf(const device::Kernel& kernel, const Device& device, const compile::KernelResources* resources,
                    const CountOptions& options) {
  KernelAccesses accesses = accessesOf(kernel);
  KernelCount count = countKernel(accesses, options);
  Hierarchy hierarchy = hierarchyOf(accesses, count);
  Roofline roofline = rooflineOf(accesses, count, hierarchy, device);
  Resources wants;
  wants.threads = int(kernel.threads());
  wants.registers = resources ? resources->registers : 0;
  wants.shared = kernel.sharedBytes();
  auto occupied = occupancy(device, wants);
  Result<Waves> wave = occupied ? waves(device, *occupied, kernel.blocks()) : Result<Waves>(Failure(occupied.error()));
  auto estimated =
      occupied ? estimate(accesses, count, hierarchy, *occupied, device) : Result<Estimate>(Failure(occupied.error()));
  return {kernel.name,     std::move(accesses), std::move(count),     std::move(hierarchy), std::move(occupied),
          std::move(wave), std::move(roofline), std::move(estimated), resources != nullptr};
}

}  // namespace loom::model
