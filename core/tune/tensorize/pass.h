#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/ir/stmt.h"
#include "core/tune/tensorize/outcome.h"

namespace loom::tune {

/// The report of one of the four passes that take a matrix product to tensor cores (pattern match, matrix
/// identification, thread unification, loop scaling). A state is a program after some scheduling steps.
struct PassReport {
  PassOutcome outcome = PassOutcome::NotReached;
  Message verdict;  ///< the outcome with its numbers, as a sentence
  /// Loops, blocks and buffers that the pass looked at. They belong to the state to which it was applied, which may be
  /// an earlier one with the plain loop nest; some may then be missing in the state that is asked about.
  std::vector<ir::Id> lookedAt;
  std::string lines;  ///< step lines that carry out the pass; "": it needs none, or it has failed
};

/// How a product is divided. A tile is what one wmma operation multiplies (TensorTile, m × n × k elements). A thread
/// block computes virtualM · warpsM · tilesM tiles along m and warpsN · tilesN along n.
struct WarpPlan {
  std::int64_t warpsM = 1, warpsN = 1;  ///< warps of a thread block along m and n
  std::int64_t tilesM = 1, tilesN = 1;  ///< tiles along m and n that a warp computes for each virtual thread
  std::int64_t tilesK = 1;              ///< tiles along k that are copied to shared memory together
  std::int64_t virtualM = 1;            ///< virtual threads (TVM's vthread.x) along m, which the same warps compute
  friend bool operator==(const WarpPlan&, const WarpPlan&) = default;
};

/// One factor of a product: an element of a buffer.
struct ProductFactor {
  ir::Buffer buffer;
  int read = 0;                ///< index of the buffer among the block's reads
  std::vector<int> iterators;  ///< for each dimension of the buffer: the block's iterator that indexes it, from 0
};

/// A block (a computation with iterators, as in TensorIR) that computes result[batch…, i, j] += a[…] · b[…], summed
/// over k; either factor may be the one indexed by i. Iterators are numbered from 0, in the block's order.
struct MatrixProduct {
  ir::Id block;
  std::string name;         ///< name of the block
  std::vector<int> batch;   ///< numbers of the iterators of the result's dimensions but the last two, in their order
  int i = 0, j = 0, k = 0;  ///< numbers of the iterators of the result's last dimension but one, its last, and the sum
  std::vector<std::string> names;        ///< names of the block's iterators, by number
  std::vector<std::int64_t> extents;     ///< extents of the block's iterators, by number
  std::array<ProductFactor, 2> factors;  ///< in the order in which the program writes them
  ir::Buffer result;
  ir::DType element, accumulator;  ///< element types of the factors, and of the result
  bool sumFirst = false;           ///< whether the program writes a · b + c (c: the result's element), else c + a · b
};

}  // namespace loom::tune
