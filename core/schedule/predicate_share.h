#pragma once

#include <optional>

#include "core/schedule/tree.h"

namespace loom::schedule {

/// Returns the share of the iterations of the loops around in which the predicate of a block is true, by trying all.
/// Returns nothing if there are too many, or if it depends on values. `index` is the block's index in the tree.
std::optional<double> shareOf(const ir::Expr& predicate, const schedule::Tree& tree, int index);

}  // namespace loom::schedule
