#pragma once

#include <optional>

#include "core/schedule/tree.h"

namespace loom::schedule {

/// Returns the share, from 0 to 1, of the iterations of the loops around a block in which its predicate is true. It is
/// found by evaluating the predicate in each iteration of the loops that it depends on. Of these, the innermost loops,
/// with at most 256 iterations together, are evaluated again only for outer iterations that change the rest of the
/// predicate. Returns nothing for more than 65536 outer iterations or evaluations, if one of the loops has no positive
/// constant extent, and if the predicate has anything but integers, variables of these loops, sums, differences,
/// products, minima, maxima, floor divisions and moduli by positive numbers, comparisons, `and` and `or`. A loop whose
/// first value is no constant is taken to begin at 0. `index` is the block's index in Tree::nodes.
std::optional<double> shareOf(const ir::Expr& predicate, const schedule::Tree& tree, int index);

}  // namespace loom::schedule
