// What a row of a box, which the copy engine moves, asks of the L2 cache.
#pragma once
#include <cstdint>

#include "core/layout/request.h"

namespace loom::layout {

// How the rows of a box that the copy engine moves lie on the lines of memory.
struct BoxRow {
  double lines = 1;       ///< of 128 bytes that the row touches, on an average over the rows of a matrix
  bool onSectors = true;  ///< whether every row begins at a multiple of 32 bytes
};

/// Returns whether rows that lie so many bytes apart all begin at sectors of the L2 cache, which gives others half as
/// fast.
inline bool isOnSectors(std::int64_t pitch) { return pitch % kSectorBytes == 0; }

/// Returns the bytes of the widest swizzled lines, 128, 64 or 32, that rows of `bytes` are whole ones of; 0: of none.
constexpr std::int64_t widestSwizzle(std::int64_t bytes) {
  for (std::int64_t line = kLineBytes; line >= kSectorBytes; line /= 2)
    if (bytes % line == 0) return line;
  return 0;
}

/// Returns what rows of `bytes` ask for, of a matrix whose rows lie `pitch` bytes apart and which boxes cut into
/// columns of that width; both are positive. The matrix begins at a line, as memory that cudaMalloc gives does.
BoxRow boxRow(std::int64_t bytes, std::int64_t pitch);

}  // namespace loom::layout
