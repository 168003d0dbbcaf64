#pragma once

#include <optional>
#include <vector>

#include "core/ir/stmt.h"

namespace loom::tune {

/// What a block's single store does to its element: C[…] = combiner(C[…], value), and `value` doesn't read C.
struct Update {
  ir::ExprKind combiner = ir::ExprKind::Add;  ///< Add, Mul, Min or Max; Sub: C[…] - value
  ir::Expr value;
  bool isFirst = true;  ///< whether C[…] is the combiner's first operand
};
/// Returns the update that a store is; nothing: it is none.
std::optional<Update> updateOf(const ir::StoreNode& store);

/// Returns an element of each buffer that an expression reads, in the order in which it names them; nothing if it reads
/// one at two places, or at a place that is read itself.
std::optional<std::vector<const ir::LoadNode*>> elementsOf(const ir::Expr& value);

/// Returns the arithmetic instructions on CUDA cores that an update takes for each element: each different operation of
/// its value once, and the combiner. A product is added by the instruction that multiplies, and what is absolute, cast
/// or read takes none. A function counts as one, though it may be many.
int instructionsOf(const Update& update);

/// Returns whether an expression is 0 where all that it reads is 0. What isn't known here is taken not to be.
bool isZeroOfZeros(const ir::Expr& value);

}  // namespace loom::tune
