// Tiles of elements smaller than a byte, several of which share a byte (ir/packed.h). After the pass lower::packBytes,
// kernels have such elements in buffers of bytes.
#pragma once
#include <optional>

#include "core/device/program.h"

namespace loom::device {

// Returns the dtype of the packed elements if `memory`, an operand of the operation, is a buffer of bytes in which they
// are packed. The lines of the operation's tile in this buffer, and the distances between them, are then ir::perByte
// times shorter in bytes than the operation says in elements. Returns nothing for other memory.
std::optional<ir::DType> packedIn(const OperationNode& operation, const BufferPlace& memory);

}  // namespace loom::device
