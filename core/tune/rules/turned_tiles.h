#pragma once

#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// A buffer that a block (a computation with iterators, as in TensorIR) reads in another order than it writes its
/// result.
struct TurnedRead {
  int read = 0;  ///< index in the block's reads
  ir::Buffer buffer;
  std::vector<int> iterators;            ///< indices of the block's iterators that index the buffer, ascending
  std::vector<std::vector<int>> groups;  ///< these iterators in the order of the buffer's dimensions, by group; but
                                         ///< iterators of extent 1 come first, each a group of its own
  int lastDimension = 0;                 ///< the dimension of the buffer along which elements are adjacent in memory
};

/// An elementwise block that reads buffers along another axis than it writes, as a transpose does. Iterators that are
/// adjacent, in the same order, in all these buffers and in the result form a group, which is split like one axis.
struct TurnedTiles {
  std::string name;                      ///< name of the block
  std::vector<std::string> iterators;    ///< names of the block's iterators
  std::vector<std::int64_t> extents;     ///< extent of each iterator
  std::vector<int> loops;                ///< for each iterator: index of its loop in the nest, from the outermost
  std::vector<std::vector<int>> groups;  ///< groups of iterators in the order of the result, but those of iterators of
                                         ///< extent 1 first; the last group is x
  int y = 0;                             ///< index of the group that is last in the buffers read in another order
  std::vector<TurnedRead> reads;         ///< the buffers that are read in another order
  ir::Buffer result;
  std::int64_t alongX = 1, alongY = 1;  ///< extents of the groups x and y
  /// The longest vectors, in elements: of stores of the result along x, and of loads of the buffers along y; at most 4
  /// bytes.
  std::int64_t alignedX = 1, alignedY = 1;
  std::int64_t elements = 1;  ///< elements of the result

  /// Returns whether some group has several iterators, which must be fused first.
  bool merges() const;
};

/// A block that reads along another axis than it writes, or the reason why a block is none.
struct TurnedOrNot {
  std::optional<TurnedTiles> turned;
  Message reason;  ///< why the block is none, as a sentence; empty if it is one
};
/// Reads a block of the program `state` as one that reads along another axis than it writes.
TurnedOrNot turnedTilesOf(const schedule::State& state, ir::Id block);

}  // namespace loom::tune
