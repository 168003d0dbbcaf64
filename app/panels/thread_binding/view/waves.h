#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/turns.h"
#include "core/model/active_clusters.h"

namespace loom::session {

/// The bytes that the blocks of the first wave read of a buffer in global memory. Blocks of a persistent kernel, which
/// go on from tile to tile, count with their first tile alone.
struct WaveRead {
  std::string buffer;   ///< name of the buffer
  double distinct = 0;  ///< number of bytes that at least one block reads
  /// Sum over the blocks of the number of different bytes that the block requests: a byte counts once for each block,
  /// however many statements, threads and iterations of the block request it. Bytes of TMA boxes beyond the buffer's
  /// end count, too.
  double asked = 0;
};

/// The waves of a grid: the device runs as many blocks at once as it can hold, in the order of their indices, and then
/// the next ones. (The hardware starts a block whenever another ends; that amounts to waves while all blocks take
/// equally long.)
struct BlockWaves {
  /// Blocks of the grid; multiprocessors of the device; blocks that fit on each.
  std::int64_t blocks = 1, multiprocessors = 1, perMultiprocessor = 1;
  model::Occupancy occupancy;  ///< the occupancy that `perMultiprocessor` is taken from; says what limits it
  /// Number of blocks of a full wave: those of all active clusters; without clusters `multiprocessors` ·
  /// `perMultiprocessor`.
  std::int64_t slots = 1;
  /// Clusters active at a time; without clusters each block counts as a cluster.
  model::ActiveClusters clusters;
  std::vector<std::int64_t> of;  ///< index of the cluster of each block; empty: the kernel has no clusters
  /// For a persistent kernel, whose blocks go on from tile to tile: the number of blocks that have a tile in each turn,
  /// in order (model::persistentTurns). Empty for other kernels, and for a grid of several waves.
  std::vector<std::int64_t> turns;
  /// Where the tiles lie if `takesTurns`; nothing otherwise, and if that isn't known.
  std::optional<TurnTiles> tiles;
  std::vector<WaveRead> reads;   ///< one per global buffer that is read, in the order of the kernel's accesses
  double distinct = 0;           ///< sum of WaveRead::distinct over all buffers, in bytes
  std::optional<double> l2;      ///< size of the device's L2 in bytes; nothing: not known
  std::optional<Error> unknown;  ///< why the reads can't be computed; `reads` and `distinct` are then incomplete

  /// Returns the wave, from 0, in which a block runs. `block` is its index in the grid.
  std::int64_t waveOf(std::int64_t block) const {
    return of.empty() ? block / slots : of[std::size_t(block)] / clusters.clusters;
  }
  /// Returns the number of waves.
  std::int64_t count() const { return (blocks + slots - 1) / slots; }
  /// Returns the number of blocks in the last wave.
  std::int64_t last() const { return blocks - (count() - 1) * slots; }
  /// Returns whether the grid is a single wave whose blocks take several turns. Views then show the last turn where
  /// they show the last wave of other kernels.
  bool takesTurns() const { return count() == 1 && turns.size() > 1; }
  /// Returns how many blocks of the first wave (with `ofLast`, of the last one, or, if `takesTurns`, those with a tile
  /// in the last turn) run on a multiprocessor, given by its index, if blocks are distributed round robin. Which
  /// multiprocessor gets which block isn't documented.
  std::int64_t onMultiprocessor(std::int64_t multiprocessor, bool ofLast) const {
    const std::int64_t all = !ofLast ? std::min(blocks, slots) : takesTurns() ? turns.back() : last();
    return all / multiprocessors + (multiprocessor < all % multiprocessors ? 1 : 0);
  }
};

/// Returns the waves of a kernel's grid. `occupancy` is that of the same kernel on `device`. If only the reads can't be
/// computed, `unknown` has the error. A pure function; takes some 10 ms. Errors: "UnknownFigure" if the device's
/// number of multiprocessors isn't known, "TooLarge" if not even one block fits on a multiprocessor, or one cluster
/// into a GPC.
Result<BlockWaves> blockWaves(const ThreadBinding& binding, const model::Occupancy& occupancy,
                              const model::Device& device);

}  // namespace loom::session
