// What the blocks that run at the same time (a wave) read from global memory through the copy engine, which depends on
// the order in which blocks take tiles of the result.
#pragma once
#include <optional>

#include "core/model/access.h"

namespace loom::model {

// What the first wave of a matrix product reads. The wave consists of the blocks with the lowest numbers, one block per
// multiprocessor; each block computes one tile of the result. Its tiles need `rows` different boxes (of rows of tiles)
// of the first factor and `columns` different boxes (of columns of tiles) of the second one in each iteration along k.
struct WaveReads {
  int tiles = 0;              // number of tiles, which is the number of blocks in the wave
  int rows = 0, columns = 0;  // number of different boxes of the first factor and of the second one
  double bytes = 0;           // bytes of the two factors that the wave reads along all of k, each byte once
  // The number of rows of tiles with which a wave of `tiles` tiles would read the fewest bytes, and these bytes. Powers
  // of two are tried besides `rows`.
  int bestRows = 1;
  double leastBytes = 0;
};

// Returns what a wave of at most `multiprocessors` blocks reads. Returns nothing for a kernel whose copy engine doesn't
// load boxes of exactly two buffers, and if a box's place can't be computed from the block's number.
std::optional<WaveReads> waveReads(const KernelAccesses& kernel, int multiprocessors);

}  // namespace loom::model
