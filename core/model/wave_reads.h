// What the blocks that run at a time read of global memory through the copy engine, by the order of their tiles.
#pragma once
#include <optional>

#include "core/model/access.h"

namespace loom::model {

// What the first wave reads, which is the blocks of the lowest numbers, one a multiprocessor: how many different boxes
// of each of two factors they ask for at one step of their loops, and the bytes of their rows and columns of tiles all
// along k.
struct WaveReads {
  int tiles = 0;              // blocks of the wave
  int rows = 0, columns = 0;  // different boxes of the first factor and of the second
  double bytes = 0;           // of all of these, along all of k
  // The number of rows whose tiles, taken together, read least, were there any number of rows and columns, and the
  // bytes.
  int bestRows = 1;
  double leastBytes = 0;
};

// Returns what a wave of `multiprocessors` blocks reads. Returns nothing for a kernel whose copy engine doesn't load
// boxes of exactly two buffers, and where a box's place can't be told from the block's number.
std::optional<WaveReads> waveReads(const KernelAccesses& kernel, int multiprocessors);

}  // namespace loom::model
