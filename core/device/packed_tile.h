// Tiles of elements smaller than a byte, several of which share a byte (ir/packed.h). After the pass lower::packBytes,
// kernels have such elements in buffers of bytes.
#pragma once
#include <optional>

#include "core/device/program.h"

namespace loom::device {

// Returns the dtype of the packed elements if `memory`, an operand of the operation, is a buffer of bytes in which they
// are packed. The length of the tile's lines in this buffer (its rows, or its columns if it is stored by columns) and
// the distances between them are then, in bytes, the operation's numbers of elements divided by ir::perByte. Returns
// nothing for other memory.
std::optional<ir::DType> packedIn(const OperationNode& operation, const BufferPlace& memory);

}  // namespace loom::device
