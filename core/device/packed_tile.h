// Tiles of elements that share bytes (ir/packed.h), in memory that kernels have as bytes since lower::packBytes.
#pragma once
#include <optional>

#include "core/device/program.h"

namespace loom::device {

// The type of the elements that an operation's registers hold, where its memory is the bytes that these lie in: the
// lines of the tile there, and the distances between them, are ir::perByte times shorter than the operation says.
// Nothing for other memory.
std::optional<ir::DType> packedIn(const OperationNode& operation, const BufferPlace& memory);

}  // namespace loom::device
