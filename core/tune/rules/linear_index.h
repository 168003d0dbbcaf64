#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"
#include "core/schedule/state.h"

namespace loom::tune {

/// An index as a linear function of the iterators of its block (a computation with iterators, as in TensorIR): a
/// constant plus a multiple of each iterator.
struct LinearIndex {
  std::vector<std::int64_t> of;  ///< the coefficient of each iterator, in the block's order; 0: it doesn't occur
  std::int64_t constant = 0;

  /// Returns the number of the iterator that the index is equal to; -1 if it isn't a single iterator alone.
  int plain() const;
  /// Returns whether the index depends on the iterator with this number.
  bool names(int iterator) const { return of[std::size_t(iterator)] != 0; }
};
/// Returns an index of a block as a linear function of the block's iterators; nothing if it isn't linear.
std::optional<LinearIndex> linearIndex(const ir::BlockNode& block, const ir::Expr& index);

/// Returns, for each iterator of a block, the number of the loop above the block, counted from the outermost, whose
/// variable is the iterator's value. Returns nothing if an iterator's value is another expression, if there are loops
/// without an iterator, or if a condition guards the block.
std::optional<std::vector<int>> loopsOfIterators(const schedule::State& state, ir::Id block);

/// Returns all loads in the body of a block, those in conditions and indices included, each occurrence.
std::vector<const ir::LoadNode*> loadsIn(const ir::BlockNode& block);

/// Returns the index, among the regions that the block reads, of the first one with the load's buffer; -1: there is
/// none.
int readOf(const ir::BlockNode& block, const ir::LoadNode& load);

}  // namespace loom::tune
