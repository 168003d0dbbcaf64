// How the padding of a buffer that transform_layout gives a new layout gets its value. Padding is the elements of the
// new layout that no element of the old one is moved to. The scope is the block within which all uses of the buffer
// are. Source of the behaviour: TVM 0.22, transform_layout.
//
//   no block of the scope writes the buffer    a new block before all others states the padding's value by T.assume
//   serial loops over just the old shape,      this block is made to run over the new shape, and stores the padding's
//   in its order, hold its only store          value or its own: B[v_axis0, v_axis1] = if_then_else(<padding>, 0, …)
//   else                                       a new block after the last that writes the buffer stores the value
#pragma once
#include <map>

#include "core/schedule/draft.h"
#include "core/schedule/index_map.h"
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the argument pad_value of transform_layout as a map from the new indices of an element, `dimensions` indices
// of type `indexType`, to its value; nothing for None. A number becomes a constant of the buffer's dtype, if both are
// integers or both are floats, and else of int32 or float32. A truth value becomes an integer for a buffer of integers,
// else a bool. So the dtype may be another than the buffer's, which the caller must refuse. Errors for a lambda that
// gives no value: "TypeError", "IndexError", "ValueError" and "InternalError", as indexMapOf (index_map.h) gives them.
Result<std::optional<IndexMap>> padValueOf(const Value& value, const ir::Buffer& buffer, std::size_t dimensions,
                                           ir::DType indexType);

// A change of a buffer's layout.
struct LayoutChange {
  ir::Buffer before, after;
  IndexMap map;
  // The inverse of `map`; without inputs, and with `padding` false, if the caller of transform_layout asserts that the
  // map is injective (assume_injective_transform).
  Inverse inverse;
  std::optional<IndexMap> padValue;  // the padding's value, as `padValueOf` returns it; nothing: it stays undefined
};

// The statements with which a layout change fills its padding.
struct PaddingPlan {
  ir::Stmt first;  // stands before the scope's body; null: there is none
  // By the id of a loop, the nest that replaces it. The nest stores to the buffer `after`, and its loads are still of
  // the buffer `before`.
  std::map<ir::Id, ir::Stmt> replacements;
  ir::Id lastWriter;  // the loop, or block, that `last` follows; no id if `last` is null
  ir::Stmt last;      // stands after `lastWriter`; null: there is none
};

// Returns the plan for the blocks of a scope. `draft`, the program that the primitive rewrites, gives new ids and
// records origins; nothing is replaced yet. `change` must have padding and a value for it, which is one expression of
// the dtype of `change.before`. Error "InternalError" if `change.map` or `change.padValue` takes another number of
// indices than it is given.
Result<PaddingPlan> planPadding(Draft& draft, const ir::BlockNode& scope, const LayoutChange& change);

}  // namespace loom::schedule
