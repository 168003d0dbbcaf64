#pragma once

#include <optional>

#include "core/model/device.h"
#include "core/schedule/state.h"
#include "core/tune/rules/wave_fit.h"

namespace loom::tune {

/// A hint for the form in which a person fills in the arguments of the scheduling primitive `split`, by which its
/// factors can be ranked. If a loop over rows or columns of a matrix product is split, and the inner loop becomes that
/// of a tile, the factor determines how the tiles fill the waves of a device, in each of which a multiprocessor
/// computes one tile.
class WaveHints {
 public:
  /// Makes the hints for loop `loop` of the program `state`, around a product of operands of at most 16 bits. The loop
  /// must be over rows or columns and serial, and the device of compute capability 9.0, whose tensor cores take any
  /// multiple of 8 columns. Returns nothing for other loops, programs and devices.
  static std::optional<WaveHints> of(const schedule::State& state, ir::Id loop, const model::Device& device);

  /// Returns the fit of tiles with `inner` rows or columns, whichever the loop is over; `inner` is at least 1. The
  /// other side of the tile is `other()`.
  WaveFit fitOf(std::int64_t inner) const;
  /// Returns whether warpgroups can multiply a tile with `inner` rows or columns: 64, 128, 192 or 256 rows, or a
  /// multiple of 8 columns up to 256.
  bool takes(std::int64_t inner) const;
  /// Returns how many results the busiest multiprocessor computes with tiles of `inner` rows or columns (at least 1):
  /// waves · rows · columns of a tile. Less is better.
  std::int64_t costOf(std::int64_t inner) const;

  /// Returns whether the loop is over columns; else it is over rows.
  bool isOfColumns() const { return ofColumns_; }
  /// Returns the number of multiprocessors of the device.
  std::int64_t multiprocessors() const { return multiprocessors_; }
  /// Returns the other side of the tile, in elements, as the loops of the state have it: its rows if the loop is over
  /// columns, else its columns; if they aren't split yet, all of them, but at most 128.
  std::int64_t other() const { return other_; }

 private:
  std::int64_t m_ = 1, n_ = 1, batch_ = 1, other_ = 1, multiprocessors_ = 1;
  bool ofColumns_ = true;
};

}  // namespace loom::tune
