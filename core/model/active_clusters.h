// How many clusters of thread blocks are active on the device at a time, and in how many waves a grid runs. All blocks
// of a cluster run within one graphics processing cluster (GPC), so that places of a GPC that hold no whole cluster
// stay empty.
#pragma once
#include "core/device/program.h"
#include "core/model/occupancy.h"

namespace loom::model {

// The clusters that one GPC holds.
struct GpcClusters {
  int multiprocessors = 0;    // of the GPC
  std::int64_t clusters = 0;  // number of clusters that are active in the GPC at a time
};

// How many clusters of a kernel are active on a device at a time.
struct ActiveClusters {
  std::int64_t size = 1;               // blocks of a cluster
  std::int64_t perMultiprocessor = 1;  // blocks that fit on a multiprocessor
  std::int64_t clusters = 0;           // active on the device at a time; 0: no block fits, or no whole cluster
  std::vector<GpcClusters> gpcs;       // in the order of Device::gpcs; empty: the sizes of GPCs aren't known
  std::int64_t multiprocessors = 0;    // of the device

  // Returns the number of blocks that run at a time.
  std::int64_t blocks() const { return clusters * size; }
  // Returns the number of blocks that would run at a time if clusters could fill all multiprocessors.
  std::int64_t places() const { return multiprocessors * perMultiprocessor; }
  // Returns the number of multiprocessors that the blocks which run at a time fill; it need not be whole.
  double usableMultiprocessors() const {
    return perMultiprocessor > 0 ? double(blocks()) / double(perMultiprocessor) : 0;
  }
  // Returns the number of clusters that are active at a time if a multiprocessor can hold `blocksEach` blocks.
  std::int64_t clustersWith(std::int64_t blocksEach) const;
  // Returns how many blocks of a grid of `grid` blocks the busiest multiprocessor runs, at a time or one after the
  // other; 0 if none can run. The blocks of a last wave are spread: a multiprocessor gets a second block of it only if
  // whole clusters find no other place.
  std::int64_t busiest(std::int64_t grid) const;
  // Returns the number of waves of a grid of `grid` blocks; 0 if no block can run.
  std::int64_t wavesOf(std::int64_t grid) const { return blocks() > 0 ? (grid + blocks() - 1) / blocks() : 0; }
  // Returns the number of waves of a grid of `grid` blocks without clusters; 0 if no block can run.
  std::int64_t wavesWithout(std::int64_t grid) const { return places() > 0 ? (grid + places() - 1) / places() : 0; }
  // Returns whether the borders of GPCs leave places empty that whole clusters would fill.
  bool areLimitedByGpcs() const { return clusters < places() / size; }
};

// Returns what cudaOccupancyMaxActiveClusters returns for clusters of `size` blocks with this occupancy: the sum, over
// GPCs, of the whole clusters that their places hold. Whether the device allows clusters of this size isn't checked. If
// the sizes of GPCs aren't known, the result is an upper bound: as if clusters could fill all multiprocessors. Errors:
// "UnknownFigure" if the number of multiprocessors isn't known; "InvalidArgument" for a size below 1.
Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, std::int64_t size);
// Returns the number of active clusters for the cluster size of a kernel; a kernel without clusters counts as having
// clusters of one block. Error "UnknownFigure" if the number of multiprocessors isn't known.
Result<ActiveClusters> activeClusters(const Device& device, const Occupancy& occupancy, const device::Kernel& kernel);

// The waves of a grid: the groups of blocks that are resident on the device at a time.
struct Waves {
  std::int64_t blocks = 0;         // of the grid
  std::int64_t slots = 0;          // blocks of a full wave: whole clusters
  std::int64_t full = 0;           // number of full waves
  std::int64_t last = 0;           // blocks of the last wave if it isn't full; otherwise 0
  double efficiency = 0;           // blocks / (slots · number of waves), 0 to 1
  double busyMultiprocessors = 0;  // share of the multiprocessors, 0 to 1, that a full wave's blocks fill; of a
                                   // grid below one wave: that have blocks
  ActiveClusters clusters;         // `slots` is the number of its blocks; without clusters, each block counts as one
  // Returns the number of waves.
  std::int64_t count() const { return full + (last > 0); }
};
// Returns the waves of a grid of that many blocks, `cluster` of them a cluster. If no cluster can run, all figures
// but `blocks` and `clusters` are 0. Errors as those of `activeClusters`, and "InvalidArgument" for a grid without a
// block.
Result<Waves> waves(const Device& device, const Occupancy& occupancy, std::int64_t blocks, std::int64_t cluster = 1);

}  // namespace loom::model
