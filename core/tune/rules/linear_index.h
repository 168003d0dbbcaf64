#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"
#include "core/schedule/state.h"

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

/// Returns the loops above a block, by iterator, whose variables alone are its iterators, counted from the outermost;
/// nothing where others are, or where a condition guards the block.
std::optional<std::vector<int>> loopsOfIterators(const schedule::State& state, ir::Id block);

/// Returns every element that the block's value, or its conditions, read, each occurrence.
std::vector<const ir::LoadNode*> loadsIn(const ir::BlockNode& block);

/// Returns which of what the block reads has an element's buffer; -1: none.
int readOf(const ir::BlockNode& block, const ir::LoadNode& load);

}  // namespace loom::tune
