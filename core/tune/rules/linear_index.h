#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::tune {

/// An index as a number and a multiple of each iterator of its block.
struct LinearIndex {
  std::vector<std::int64_t> of;  ///< by iterator
  std::int64_t constant = 0;

  /// Returns the iterator that the index is; -1: it is more, or something else.
  int plain() const;
  /// Returns whether the index changes with an iterator.
  bool names(int iterator) const { return of[std::size_t(iterator)] != 0; }
};
/// Returns an index of a block so; nothing: it is no such sum.
std::optional<LinearIndex> linearIndex(const ir::BlockNode& block, const ir::Expr& index);

/// Returns the loops, by iterator, whose variables alone are a block's iterators; nothing where others are.
std::optional<std::vector<int>> loopsOfIterators(const std::vector<ir::For>& loops,
                                                 const ir::BlockRealizeNode& realize);

/// Returns every element that the block's value, or its conditions, read, each occurrence.
std::vector<const ir::LoadNode*> loadsIn(const ir::BlockNode& block);

}  // namespace loom::tune
