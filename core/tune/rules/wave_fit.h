#pragma once

#include <cstdint>

namespace loom::tune {

/// Rows and columns of a large tile: what two warpgroups multiply together, each 64 rows of it.
inline constexpr std::int64_t kLargeTile = 128;

/// How well the tiles of a product fill the waves of a device's multiprocessors, each of which has one tile at a time.
struct WaveFit {
  std::int64_t tiles = 1;
  std::int64_t waves = 1;  ///< of the multiprocessor that gets most
  /// Columns that the busiest multiprocessor computes, in tiles of one height: waves · columns of a tile. At 4096³ it
  /// orders measured times of tiles of 128 rows almost exactly (H100): 112 columns 1008, 128 columns 1024, 176
  /// columns 1056, 168 columns 1176.
  std::int64_t columns = 1;
  double filled = 1;  ///< of all places in these waves, from 0 to 1
};

/// Returns the fit of `batch` products of m × n results in tiles of `tileM` × `tileN`, all positive.
WaveFit waveFit(std::int64_t m, std::int64_t n, std::int64_t batch, std::int64_t tileM, std::int64_t tileN,
                std::int64_t multiprocessors);

}  // namespace loom::tune
