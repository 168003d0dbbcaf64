// Indices of a block as linear functions of its iterators. In this header, a block is a computation with iterators, as
// in TensorIR.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::schedule {

// An index as a linear function of the iterators of its block: a constant plus a multiple of each iterator.
struct LinearIndex {
  std::vector<std::int64_t> of;  // the coefficient of each iterator, in the block's order; 0: it doesn't occur
  std::int64_t constant = 0;

  // Returns the number of the iterator that the index is equal to; -1 if it isn't a single iterator alone.
  int plain() const;
  // Returns whether the index depends on the iterator with this number.
  bool names(int iterator) const { return of[std::size_t(iterator)] != 0; }
};
// Returns an index of a block as a linear function of the block's iterators; nothing if it has anything but these
// iterators, integers, sums, differences and products by a constant, such as another variable, a cast or a division.
std::optional<LinearIndex> linearIndex(const ir::BlockNode& block, const ir::Expr& index);

}  // namespace loom::schedule
