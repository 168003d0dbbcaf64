#pragma once

#include <limits>
#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::tune {

/// An update of an element by a block's single store: C[…] = combiner(C[…], value), where `value` doesn't read C.
struct Update {
  ir::ExprKind combiner = ir::ExprKind::Add;  ///< Add, Mul, Min or Max; Sub: C[…] - value
  ir::Expr value;
  bool isFirst = true;  ///< whether C[…] is the combiner's first operand, as always for Sub
};
/// Reads a store as an update. Returns nothing if the store isn't of that form.
std::optional<Update> updateOf(const ir::StoreNode& store);

/// Returns one load for each buffer that an expression reads, in the order in which they first occur; the pointers are
/// to nodes of the expression. Returns nothing if the expression reads a buffer at two different indices, or if an
/// index contains a load.
std::optional<std::vector<const ir::LoadNode*>> elementsOf(const ir::Expr& value);

/// Returns how many arithmetic instructions an update takes on CUDA cores for each element: one for each operation of
/// its value outside of indices, where equal subexpressions count once, and one for the combiner. A product that is
/// added or subtracted takes one instruction (FMA) for both; absolute values, casts and loads take none; a function
/// call counts as one, though it may take more.
int instructionsOf(const Update& update);

/// Returns whether an expression is known to be 0 if all elements that it reads are 0. Returns false if that can't be
/// told.
bool isZeroOfZeros(const ir::Expr& value);

/// Returns what an expression is a cast of, through at most `most` casts, one around another; `e` itself if it is none.
/// The reference is to `e` or a part of it.
const ir::Expr& withoutCasts(const ir::Expr& e, int most = std::numeric_limits<int>::max());

}  // namespace loom::tune
