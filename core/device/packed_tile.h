// Tiles of elements that share bytes (ir/packed.h), in memory that kernels have as bytes since lower::packBytes.
#pragma once
#include <optional>

#include "core/device/program.h"

namespace loom::device {

// Returns the dtype of the elements in the registers of an operation whose memory holds the bytes in which these
// elements are packed. Distances and lines of the tile in that memory are ir::perByte times shorter than the operation
// says. Returns nothing for other memory.
std::optional<ir::DType> packedIn(const OperationNode& operation, const BufferPlace& memory);

}  // namespace loom::device
