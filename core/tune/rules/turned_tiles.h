#pragma once

#include <string>
#include <vector>

#include "core/schedule/state.h"

namespace loom::tune {

/// What a block reads in another order than it writes.
struct TurnedRead {
  int read = 0;  ///< index in the block's reads
  ir::Buffer buffer;
  std::vector<int> iterators;            ///< of the block, in the order of its list, that say where an element lies
  std::vector<std::vector<int>> groups;  ///< the same in the order of the buffer's dimensions, as far as they merge
  int lastDimension = 0;                 ///< of the buffer: the one that neighbours lie along
};

/// An elementwise block that reads along another axis than it writes. Iterators that are neighbours, in this order, in
/// all that it turns and in what it writes are a group: they are cut together, as one axis.
struct TurnedTiles {
  std::string name;
  std::vector<std::string> iterators;    ///< their names
  std::vector<std::int64_t> extents;     ///< by iterator
  std::vector<int> loops;                ///< by iterator: index of its loop in the nest
  std::vector<std::vector<int>> groups;  ///< in the order of what is written; the last one is x
  int y = 0;                             ///< index of the group that is last in what is turned
  std::vector<TurnedRead> reads;
  ir::Buffer result;
  std::int64_t alongX = 1, alongY = 1;      ///< elements of the groups
  std::int64_t alignedX = 1, alignedY = 1;  ///< neighbours that can be stored, loaded at once: a power of two
  std::int64_t elements = 1;

  /// Whether some group has several iterators: then they are merged first.
  bool merges() const;
};

/// What a block is so, or in a sentence why it isn't.
struct TurnedOrNot {
  std::optional<TurnedTiles> turned;
  Message reason;  ///< empty where there are tiles
};
TurnedOrNot turnedTilesOf(const schedule::State& state, ir::Id block);

}  // namespace loom::tune
