#include "core/device/operations/families.h"

namespace loom::device {

// wmma of CUDA's mma.h: fragments that load, multiply and store tiles of 16 × 16 × 16.
extern const OperationFamily kWmma;

std::span<const OperationFamily* const> operationFamilies() {
  static constexpr const OperationFamily* kFamilies[] = {&kWmma};
  return kFamilies;
}

}  // namespace loom::device
