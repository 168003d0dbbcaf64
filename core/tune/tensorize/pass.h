#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/tune/tensorize/outcome.h"

namespace loom::tune {

/// What every pass reports.
struct PassReport {
  PassOutcome outcome = PassOutcome::NotReached;
  Message verdict;               ///< the outcome with its numbers, a sentence
  std::vector<ir::Id> lookedAt;  ///< loops, blocks and buffers of the state that was asked about
  std::string lines;             ///< the step lines that do it; "": it takes none, or it has failed
};

/// How a product is divided: tiles of a warp, warps of a thread block, tiles of a step along k.
struct WarpPlan {
  std::int64_t warpsM = 1, warpsN = 1;  ///< warps of a thread block
  std::int64_t tilesM = 1, tilesN = 1;  ///< tiles of a warp, of a virtual thread
  std::int64_t tilesK = 1;              ///< tiles along k that are copied to shared memory together
  std::int64_t virtualM = 1;            ///< virtual threads along m, each with as many warps and tiles
  friend bool operator==(const WarpPlan&, const WarpPlan&) = default;
};

/// One factor of a product: an element of a buffer.
struct ProductFactor {
  ir::Buffer buffer;
  int read = 0;                ///< index among the reads of the block
  std::vector<int> iterators;  ///< of each dimension: which of the block's iterators is its index
};

/// A block that computes result[batch…, i, j] += a[…] · b[…], summed over k.
struct MatrixProduct {
  ir::Id block;
  std::string name;         ///< of the block
  std::vector<int> batch;   ///< iterators (by number) of the result's dimensions but the last two, in their order
  int i = 0, j = 0, k = 0;  ///< iterators of the result's last dimension but one and of its last, and the reduced one
  std::vector<std::string> names;        ///< of all iterators
  std::vector<std::int64_t> extents;     ///< of all iterators
  std::array<ProductFactor, 2> factors;  ///< in the order in which the program writes them
  ir::Buffer result;
  ir::DType element, accumulator;
  bool sumFirst = false;  ///< the program writes the product before what it is added to
};

}  // namespace loom::tune
