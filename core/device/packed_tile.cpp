#include "core/device/packed_tile.h"

#include "core/device/operation.h"
#include "core/ir/packed.h"

namespace loom::device {

std::optional<ir::DType> packedIn(const OperationNode& n, const BufferPlace& memory) {
  if (memory.buffer->dtype != ir::DType::UInt(8)) return std::nullopt;
  for (std::size_t i = 0; i < n.places.size(); ++i) {
    const OperandRow& operand = n.row->operands[i];
    const ir::DType held = n.places[i].buffer->dtype;
    if (!operand.inMemory() && !operand.isSpan() && ir::isPacked(held)) return held;
  }
  return std::nullopt;
}

}  // namespace loom::device
