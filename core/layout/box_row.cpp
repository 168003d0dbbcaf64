#include "core/layout/box_row.h"

#include <numeric>

namespace loom::layout {

BoxRow boxRow(std::int64_t bytes, std::int64_t pitch) {
  // Rows begin at every multiple of this within a line, equally often.
  const std::int64_t apart = std::gcd(std::gcd(bytes, pitch), std::int64_t{kLineBytes});
  std::int64_t lines = 0;
  for (std::int64_t begin = 0; begin < kLineBytes; begin += apart)
    lines += (begin + bytes + kLineBytes - 1) / kLineBytes;
  return {double(lines * apart) / kLineBytes, isOnSectors(pitch)};
}

}  // namespace loom::layout
