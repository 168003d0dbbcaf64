// How many clusters of blocks are active on the device at a time, and the waves that a grid takes: all blocks of a
// cluster run within one graphics processing cluster (GPC), so that what is left of each GPC stays empty.
#pragma once
#include "core/device/program.h"
#include "core/model/occupancy.h"

namespace loom::model {

// The clusters that one GPC holds.
struct GpcClusters {
  int multiprocessors = 0;
  std::int64_t clusters = 0;  // that are active in it at a time
};

// How many clusters of a kernel are active on a device at a time.
struct ActiveClusters {
  std::int64_t size = 1;               // blocks of a cluster
  std::int64_t perMultiprocessor = 1;  // blocks that fit on a multiprocessor
  std::int64_t clusters = 0;           // active on the device at a time; 0: such a block can't be launched
  std::vector<GpcClusters> gpcs;       // as Device::gpcs has them; empty: their sizes aren't known
  std::int64_t multiprocessors = 0;

  // Returns the number of blocks that run at a time.
  std::int64_t blocks() const { return clusters * size; }
  std::int64_t places() const { return multiprocessors * perMultiprocessor; }
  // Multiprocessors that blocks can fill.
  double usableMultiprocessors() const {
    return perMultiprocessor > 0 ? double(blocks()) / double(perMultiprocessor) : 0;
  }
  // Returns the number of clusters that are active at a time if a multiprocessor can hold `blocksEach` blocks.
  std::int64_t clustersWith(std::int64_t blocksEach) const;
  // Returns how many blocks of a grid of `grid` blocks the busiest multiprocessor runs, at a time or one after the
  // other; 0 if none can run. The blocks of a last wave are spread: a multiprocessor gets a second one only if whole
  // clusters find no other place.
  std::int64_t busiest(std::int64_t grid) const;
  // Waves of a grid of so many blocks; 0 where none can run.
  std::int64_t wavesOf(std::int64_t grid) const { return blocks() > 0 ? (grid + blocks() - 1) / blocks() : 0; }
  // Waves of the same grid if its blocks were no clusters.
  std::int64_t wavesWithout(std::int64_t grid) const { return places() > 0 ? (grid + places() - 1) / places() : 0; }
  // Returns whether the borders of GPCs leave places empty that whole clusters would fill.
  bool areLimitedByGpcs() const { return clusters < places() / size; }
};

// Returns what cudaOccupancyMaxActiveClusters returns for clusters of `size` blocks with this occupancy: the sum, over
// GPCs, of the whole clusters that their places hold. Where the sizes of GPCs aren't known it is the most that it could
// be, as if clusters filled all multiprocessors. Errors: "UnknownFigure" if the number of multiprocessors isn't known;
// "InvalidArgument" for a size below 1.
Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, std::int64_t size);
// Returns the same for the clusters of a kernel; a kernel without clusters counts as having clusters of one block.
// Errors as above.
Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, const device::Kernel& kernel);

// The waves of a grid: the groups of blocks that are resident on the device at a time.
struct Waves {
  std::int64_t blocks = 0;         // of the grid
  std::int64_t slots = 0;          // blocks of a full wave: whole clusters
  std::int64_t full = 0;           // number of full waves
  std::int64_t last = 0;           // blocks of the last wave if it isn't full; otherwise 0
  double efficiency = 0;           // blocks / (slots · number of waves), 0 to 1
  double busyMultiprocessors = 0;  // share of the multiprocessors that have blocks in the fullest wave, 0 to 1
  ActiveClusters clusters;         // what `slots` follows from; of a grid without clusters each block is one
  // Returns the number of waves.
  std::int64_t count() const { return full + (last > 0); }
};
// Returns the waves of a grid of that many blocks, `cluster` of them a cluster. Errors as those of `activeClusters`,
// and "InvalidArgument" for a grid without a block.
Result<Waves> waves(const Device& device, const Occupancy& occupancy, std::int64_t blocks, std::int64_t cluster = 1);

}  // namespace loom::model
