#pragma once

#include <optional>

#include "core/model/device.h"
#include "core/schedule/state.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

/// A hint for the form of `split`, by which factors can be ranked: what the split of a loop over rows or columns of a
/// product's results does to the waves of its tiles, if the inner part becomes the tile's.
class WaveHints {
 public:
  /// Makes the hints for loop `loop` of a product of 8- or 16-bit factors. The loop must be over rows or columns and
  /// not bound yet, and the device of compute capability 9.0, whose tensor cores take any multiple of 8 columns.
  /// Returns nothing for other loops, programs and devices.
  static std::optional<WaveHints> of(const schedule::State& state, ir::Id loop, const model::Device& device);

  /// Returns the fit with `inner` rows or columns in a tile, at least 1; of the other side the tile is as the loops
  /// say.
  WaveFit fitOf(std::int64_t inner) const;
  /// Returns whether warpgroups can take such a tile: 64, 128, 192 or 256 rows, or a multiple of 8 columns up to 256.
  bool takes(std::int64_t inner) const;
  /// Returns how many elements the busiest multiprocessor computes with it: waves · rows · columns of a tile; less is
  /// better.
  std::int64_t costOf(std::int64_t inner) const;

  bool isOfColumns() const { return ofColumns_; }
  std::int64_t multiprocessors() const { return multiprocessors_; }
  /// Returns the tile's rows, or columns where the loop is over rows.
  std::int64_t other() const { return other_; }

 private:
  std::int64_t m_ = 1, n_ = 1, batch_ = 1, other_ = 1, multiprocessors_ = 1;
  bool ofColumns_ = true;
};

}  // namespace loom::tune
