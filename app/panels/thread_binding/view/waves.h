#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "core/model/occupancy.h"

namespace loom::session {

/// What the blocks that run at once read of a buffer in global memory.
struct WaveRead {
  std::string buffer;
  double distinct = 0;  ///< bytes that any of them reads
  double asked = 0;     ///< the same, once for each block that reads it
};

/// The blocks of a grid in the order in which they are handed out: as many as the device holds at once, in the order of
/// their numbers; the next wave as those end. (The hardware hands out one block where one ends; waves are what that
/// comes to while all take the same time.)
struct BlockWaves {
  std::int64_t blocks = 1, multiprocessors = 1, perMultiprocessor = 1;
  model::Occupancy occupancy;    ///< why so many
  std::int64_t slots = 1;        ///< blocks at once
  std::vector<WaveRead> reads;   ///< of the first wave, in the kernel's order
  double distinct = 0;           ///< bytes, all buffers
  std::optional<double> l2;      ///< bytes of the device's L2
  std::optional<Error> unknown;  ///< why the reads can't be told

  std::int64_t waveOf(std::int64_t block) const { return block / slots; }
  std::int64_t count() const { return (blocks + slots - 1) / slots; }
  /// Blocks of the last wave.
  std::int64_t last() const { return blocks - (count() - 1) * slots; }
  /// How many of the first or the last wave's blocks a multiprocessor has, where each in turn gets one (which one gets
  /// which isn't documented).
  std::int64_t onMultiprocessor(std::int64_t multiprocessor, bool ofLast) const {
    const std::int64_t all = ofLast ? last() : std::min(blocks, slots);
    return all / multiprocessors + (multiprocessor < all % multiprocessors ? 1 : 0);
  }
};

/// A pure function; some 10 ms. Errors: "UnknownFigure" without a number of multiprocessors, "TooLarge" when not one
/// block fits.
Result<BlockWaves> blockWaves(const ThreadBinding& binding, const model::Occupancy& occupancy,
                              const model::Device& device);

}  // namespace loom::session
