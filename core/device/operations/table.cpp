#include "core/device/operations/families.h"

namespace loom::device {

std::span<const OperationFamily* const> operationFamilies() {
  static constexpr const OperationFamily* kFamilies[] = {&kWmma};
  return kFamilies;
}

}  // namespace loom::device
