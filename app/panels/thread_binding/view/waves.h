#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "core/model/active_clusters.h"

namespace loom::session {

/// The bytes that the blocks of one wave read of a buffer in global memory.
struct WaveRead {
  std::string buffer;
  double distinct = 0;  ///< bytes that at least one block reads
  double asked = 0;     ///< sum over the blocks of the bytes that each reads
};

/// The waves of a grid: the device runs as many blocks at once as it can hold, in the order of their numbers, and then
/// the next ones. (The hardware starts a block whenever another ends; that amounts to waves while all blocks take
/// equally long.)
struct BlockWaves {
  std::int64_t blocks = 1, multiprocessors = 1, perMultiprocessor = 1;  ///< of the grid; of the device; resident
  model::Occupancy occupancy;                                           ///< what limits `perMultiprocessor`
  std::int64_t slots = 1;                                               ///< blocks of a full wave: whole clusters
  model::ActiveClusters clusters;  ///< what `slots` follows from; without clusters each block is one
  std::vector<std::int64_t> of;    ///< the cluster of each block; empty: each block is one
  std::vector<WaveRead> reads;     ///< of the first wave, by buffer in the kernel's order
  double distinct = 0;             ///< sum of WaveRead::distinct over all buffers, in bytes
  std::optional<double> l2;        ///< size of the device's L2 in bytes; nothing: not known
  std::optional<Error> unknown;    ///< why the reads can't be computed

  /// Returns the wave of a block; the number of waves; the number of blocks in the last wave.
  std::int64_t waveOf(std::int64_t block) const {
    return of.empty() ? block / slots : of[std::size_t(block)] / clusters.clusters;
  }
  std::int64_t count() const { return (blocks + slots - 1) / slots; }
  std::int64_t last() const { return blocks - (count() - 1) * slots; }
  /// Returns how many blocks of the first (or the last) wave a multiprocessor has if blocks are distributed in turn.
  /// Which multiprocessor gets which block isn't documented.
  std::int64_t onMultiprocessor(std::int64_t multiprocessor, bool ofLast) const {
    const std::int64_t all = ofLast ? last() : std::min(blocks, slots);
    return all / multiprocessors + (multiprocessor < all % multiprocessors ? 1 : 0);
  }
};

/// Returns the waves of a kernel's grid. A pure function; takes some 10 ms. Errors: "UnknownFigure" if the device's
/// number of multiprocessors isn't known, "TooLarge" if not even one block fits on a multiprocessor, or one cluster
/// into a GPC.
Result<BlockWaves> blockWaves(const ThreadBinding& binding, const model::Occupancy& occupancy,
                              const model::Device& device);

}  // namespace loom::session
