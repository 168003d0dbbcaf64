// What the blocks that run at the same time (a wave) read from global memory through the copy engine, which depends on
// the order in which blocks take tiles of the result.
#pragma once
#include <optional>

#include "core/model/access.h"

namespace loom::model {

// What the first wave of a matrix product reads. The wave consists of the blocks with the lowest numbers, one block per
// multiprocessor; each block computes one tile of the result. The first factor is the one that the kernel loads first
// in its text. In each iteration along k a tile needs one box of each factor, which all tiles of one row (first factor)
// or of one column (second factor) of tiles share.
struct WaveReads {
  int tiles = 0;              // number of tiles, which is the number of blocks in the wave
  int rows = 0, columns = 0;  // number of different boxes of the first and of the second factor that the wave reads
  double bytes = 0;           // bytes of the two factors that the wave reads along all of k, each byte once
  // The number of rows of tiles with which a wave of `tiles` tiles would read the fewest bytes, and these bytes. Tried
  // are `rows` and powers of two, with as many columns as the tiles then take.
  int bestRows = 1;
  double leastBytes = 0;
};

// Returns what a wave of at most `multiprocessors` blocks (at least 1) reads. Returns nothing for a kernel whose copy
// engine doesn't load boxes of exactly two buffers, and if a box's place can't be computed from the block's number.
std::optional<WaveReads> waveReads(const KernelAccesses& kernel, int multiprocessors);

}  // namespace loom::model
