#pragma once

#include "core/model/device.h"
#include "core/tune/rules/sketch.h"

namespace loom::tune {

/// The properties of a matrix product's schedule from which ProductFormula predicts a time. Lengths are in elements,
/// and blocks are thread blocks.
struct ProductTile {
  double m = 1, n = 1, k = 1;  ///< rows and columns of a block's tile, and elements along k that it copies at once
  /// Rows and columns of the tile that one operation's group makes: of a warp (wmma, mma.sync), of a warpgroup (wgmma:
  /// 64 rows), or of a thread without matrix instructions.
  double ownM = 1, ownN = 1;
  double threads = 32, stages = 1;      ///< threads of a block; pipeline stages (1: no pipeline)
  double blocksOfA = 1, blocksOfB = 1;  ///< blocks of a cluster that share a tile of A, and of B, by multicast; 1: none
};

/// A formula for the time of a matrix product's schedule. A block's tile takes four times: to multiply it by the matrix
/// or FMA pipe, to load its operands from the L2 cache, to read them again from shared memory by warps or threads, and
/// to store the results. The formula takes the longest of those that overlap, as often as a multiprocessor gets a
/// block, and adds latencies that nothing hides. The result ranks tiles; it isn't meant as a prediction.
class ProductFormula {
 public:
  /// Reads the sizes of the product and the rates of the device. `sketch`, a schedule with open decisions, must be of a
  /// matrix product, with the quantities that rules write for its tiles: a missing one counts as 0, and the times mean
  /// nothing then. A rate that the device lacks has a typical value instead.
  ProductFormula(const Sketch& sketch, const model::Device& device);

  /// Returns the time of the product's kernel in µs. All numbers of the tile must be positive.
  double microseconds(const ProductTile& tile) const;
  /// Returns the predicted time, in µs, of the program's parts that the sketch schedules without open decisions
  /// (plan_of_parts.h), all together. `microseconds` doesn't include it; 0 if there are none.
  double ofOtherParts() const { return others_; }
  /// Returns how many tiles of this size the product has, those of its whole batch together, rounded up to whole
  /// clusters along rows and columns. If several blocks each sum a part of k for one tile, the tile counts once for
  /// each of them.
  double tilesOf(const ProductTile& tile) const;
  /// Returns the time, in ns, in which one multiprocessor stores one element of the result, at its share of the
  /// memory's bandwidth.
  double storing() const { return 1e3 * resultBytes_ / memoryBytes_; }
  /// Returns the time, in ns, in which one multiprocessor computes one element of the result: its sum over k, or over
  /// the part of k that one block of a cluster sums.
  double multiplying() const { return 1e3 * 2 * k_ / flops_; }
  /// Returns the ratio of two times for a tile: that in which TMA loads the tile's rows from the L2 cache, to that of
  /// its products at the clock rate under load. Rows that don't begin at cache lines take longer
  /// (core/layout/box_row.h). Without meaning for products that aren't by warpgroups (wgmma).
  double loadsOverProducts(const ProductTile& tile) const;
  /// Returns the ratio of the time for storing the results of a tile, at the multiprocessor's share of the memory's
  /// bandwidth, to the time of the tile's products at the clock rate under load. Without meaning for products that
  /// aren't by warpgroups (wgmma).
  double storesOverProducts() const { return storing() / (1e3 * 2 * k_ / loadedFlops_); }

 private:
  double m_ = 1, n_ = 1, k_ = 1, batch_ = 1, elementBytes_ = 4, resultBytes_ = 4, parts_ = 1, others_ = 0;
  double operandsOfRows_ = 1, operandsOfColumns_ = 1;
  double multiprocessors_ = 1;
  double flops_ = 1, sharedBytes_ = 1, l2Bytes_ = 1, memoryBytes_ = 1;  // per µs and multiprocessor
  double sharedOfAll_ = 49152, threadsOfAll_ = 1024;  // bytes of shared memory and threads of a multiprocessor
  bool warpgroups_ = false;                           // tensor cores read both factors from shared memory
  bool columnsFirst_ = true, turnedA_ = false;        // B as [n, k], A as [k, m]
  double clocks_ = 1;                                 // per µs
  bool slowRows_ = false;                             // whether rows of A or of B are no whole sectors of the L2 cache
  double loadedFlops_ = 1;                            // per µs and multiprocessor, at the clock rate under load
  double loading(const ProductTile& tile, double ofA = 1) const;
  double ofWarpgroups(const ProductTile& tile) const;
  double ofSlowRows(const ProductTile& tile) const;
};

}  // namespace loom::tune
