#pragma once

#include <cstdint>

namespace loom::tune {

/// Rows, and columns, of a large tile: two warpgroups multiply it together, each 64 rows of it.
inline constexpr std::int64_t kLargeTile = 128;

/// How well the tiles of a product fill the waves of a device. In a wave each multiprocessor computes one tile.
struct WaveFit {
  std::int64_t tiles = 1;  ///< tiles of all products of the batch
  std::int64_t waves = 1;  ///< tiles of the multiprocessor that gets most; tiles at the edge count as whole
  /// Columns that the busiest multiprocessor computes: waves · columns of a tile. Among tiles of the same height, the
  /// fewer the faster, almost without exception: at 4096³ with tiles of 128 rows (H100), tiles of 112 columns, the
  /// fastest, have 1008, of 128 columns 1024, of 176 columns 1056, of 168 columns 1176.
  std::int64_t columns = 1;
  double filled = 1;  ///< tiles divided by waves · multiprocessors, from 0 to 1
};

/// Returns the fit of `batch` products of m × n results in tiles of `tileM` × `tileN`. All arguments are positive.
WaveFit waveFit(std::int64_t m, std::int64_t n, std::int64_t batch, std::int64_t tileM, std::int64_t tileN,
                std::int64_t multiprocessors);

}  // namespace loom::tune
