#pragma once

#include <optional>

#include "core/schedule/tree.h"

namespace loom::schedule {

/// The share of the loops' runs in which the predicate of a block holds, found by trying all; nothing where there are
/// too many or it depends on values. `index` is the block's in the tree.
std::optional<double> shareOf(const ir::Expr& predicate, const schedule::Tree& tree, int index);

}  // namespace loom::schedule
