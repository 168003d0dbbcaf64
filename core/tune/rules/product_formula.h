#pragma once

#include "core/model/device.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// The numbers that a formula takes of a product's schedule, in elements except for `threads` and `stages`.
struct ProductTile {
  double m = 1, n = 1, k = 1;  ///< of a block, and of k at a time
  double ownM = 1, ownN = 1;   ///< of a warp that multiplies by a matrix instruction, or else of a thread
  double threads = 32, stages = 1;
  double blocksOfA = 1, blocksOfB = 1;  ///< of a cluster, that bring each other parts of one tile of A, of B
};

/// A time of a product's schedule from few numbers: a block's tile is multiplied by the matrix or FMA pipe, read from
/// the L2 cache, read again from shared memory by warps or threads, and stored. It takes the longest of the four, as
/// often as a multiprocessor gets a block, and what nothing hides: about a lower bound, which ranks rather than
/// predicts. So of tiles that cost alike it prefers those that fill whole waves: `core/tune/rules/wave_fit.h`.
class ProductFormula {
 public:
  /// `sketch` must be of a product: it has the quantities that rules write for tiles.
  ProductFormula(const Sketch& sketch, const model::Device& device);

  /// Returns microseconds; all of the tile's numbers are positive.
  double microseconds(const ProductTile& tile) const;
  /// Returns the microseconds that are predicted of the program's other parts, which the sketch leaves as constructed
  /// (program_parts.h); they come on top.
  double ofOtherParts() const { return others_; }
  /// Returns how many such tiles the product has, in whole clusters.
  double tilesOf(const ProductTile& tile) const;
  /// Return nanoseconds of a multiprocessor that storing a result takes, and multiplying its sum.
  double storing() const { return 1e3 * resultBytes_ / memoryBytes_; }
  double multiplying() const { return 1e3 * 2 * k_ / flops_; }
  /// Returns how many times as long as a tile's products its rows take to come from L2 by the copy engine, at the clock
  /// that power leaves. Rows that don't begin at lines take longer (core/layout/box_row.h).
  double loadsOverProducts(const ProductTile& tile) const;
  /// Returns how many times as long as a tile's products storing its results takes, with nothing else going on.
  double storesOverProducts() const { return storing() / (1e3 * 2 * k_ / loadedFlops_); }

 private:
  double m_ = 1, n_ = 1, k_ = 1, batch_ = 1, elementBytes_ = 4, resultBytes_ = 4, parts_ = 1, others_ = 0;
  double operandsOfRows_ = 1, operandsOfColumns_ = 1;
  double multiprocessors_ = 1;
  double flops_ = 1, sharedBytes_ = 1, l2Bytes_ = 1, memoryBytes_ = 1;  // in a microsecond, of a multiprocessor
  double sharedOfAll_ = 49152, threadsOfAll_ = 1024;                    // what blocks of a multiprocessor share
  bool warpgroups_ = false;                     // tensor cores read both factors from shared memory
  bool columnsFirst_ = true, turnedA_ = false;  // B as [n, k], A as [k, m]
  double clocks_ = 1;                           // in a microsecond
  bool slowRows_ = false;                       // whether rows of A or of B are no whole sectors of the L2 cache
  double loadedFlops_ = 1;                      // in a microsecond, of a multiprocessor at the clock that power leaves
  double loading(const ProductTile& tile, double ofA = 1) const;
  double ofWarpgroups(const ProductTile& tile) const;
  double ofSlowRows(const ProductTile& tile) const;
};

}  // namespace loom::tune
