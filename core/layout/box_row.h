// What the L2 cache must deliver for a row of a box, the part of a matrix that the copy engine (TMA) moves at once.
#pragma once
#include <cstdint>

#include "core/layout/request.h"

namespace loom::layout {

// How the rows of boxes lie on the cache lines and sectors of global memory.
struct BoxRow {
  double lines = 1;       ///< how many lines of 128 bytes a row of a box touches, averaged over all boxes of the matrix
  bool onSectors = true;  ///< whether every row of the matrix begins at a multiple of 32 bytes (isOnSectors)
};

/// Returns whether rows that lie `pitch` bytes apart all begin at a sector of the L2 cache (32 bytes). The cache
/// delivers other rows at half the speed.
inline bool isOnSectors(std::int64_t pitch) { return pitch % kSectorBytes == 0; }

/// Returns the width in bytes of the widest swizzle mode (128, 64 or 32) of which a row of `bytes`, more than 0, is a
/// multiple; 0 if it is a multiple of none.
constexpr std::int64_t widestSwizzle(std::int64_t bytes) {
  for (std::int64_t line = kLineBytes; line >= kSectorBytes; line /= 2)
    if (bytes % line == 0) return line;
  return 0;
}

/// Returns how the rows of boxes lie if each has `bytes` bytes, the rows of the matrix lie `pitch` bytes apart, and
/// boxes side by side cut the matrix into columns `bytes` wide. Both numbers are positive. The matrix begins at a line,
/// as memory from cudaMalloc does.
BoxRow boxRow(std::int64_t bytes, std::int64_t pitch);

}  // namespace loom::layout
