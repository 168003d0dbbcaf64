#pragma once

#include <optional>

#include "core/schedule/tree.h"

namespace loom::schedule {

/// Returns the share, from 0 to 1, of the iterations of the loops around a block in which its predicate is true. It is
/// found by evaluating the predicate, which must not be null, in the iterations of the loops that it depends on: of the
/// innermost of these, which have at most 256 iterations together, for each iteration of the others, the outer ones.
/// Outer iterations in which the parts of the predicate without variables of innermost loops have the same values are
/// evaluated once. Returns nothing if the outer loops have more than 65536 iterations, if the predicate would be
/// evaluated more than 65536 times in all, if one of the loops that it depends on has no positive constant extent, and
/// if it has anything but integers, variables of these loops, sums, differences, products, minima, maxima, floor
/// divisions and moduli by positive numbers, comparisons, `and` and `or`. A loop whose first value is no constant is
/// taken to begin at 0. `index` is the block's index in Tree::nodes.
std::optional<double> shareOf(const ir::Expr& predicate, const schedule::Tree& tree, int index);

}  // namespace loom::schedule
