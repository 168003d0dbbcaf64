// How the padding that a new layout brings gets its value. Source of the behaviour: TVM 0.22, transform_layout.
//
//   no block of the scope writes the buffer    a block before all others says what the padding holds: T.assume
//   a block writes it in row-major order       it runs over the new shape, and stores the value or what it stored:
//                                              B[v_axis0, v_axis1] = if_then_else(<padding>, 0, …)
//   else                                       a block after the last that writes it stores the value
#pragma once
#include <map>

#include "core/schedule/draft.h"
#include "core/schedule/index_map.h"
#include "core/schedule/instruction.h"

namespace loom::schedule {

// Returns the argument pad_value as a map from an element's new indices to its one value; nothing for None. A number
// becomes a constant of the buffer's dtype if it is of that kind. Errors as those of indexMapOf.
Result<std::optional<IndexMap>> padValueOf(const Value& value, const ir::Buffer& buffer, std::size_t dimensions,
                                           ir::DType indexType);

// A change of a buffer's layout.
struct LayoutChange {
  ir::Buffer before, after;
  IndexMap map;
  Inverse inverse;                   // nothing, with padding false, if the map is taken to be injective
  std::optional<IndexMap> padValue;  // of an element at new indices; one output
};

// The statements with which a layout change fills its padding.
struct PaddingPlan {
  ir::Stmt first;                           // stands before the scope's body; null: there is none
  std::map<ir::Id, ir::Stmt> replacements;  // of loops; the accesses in them are not yet carried over
  ir::Id lastWriter;                        // the loop, or block, that `last` follows
  ir::Stmt last;                            // null: there is none
};

// Returns the plan for a scope. Only for a change with padding and a value for it.
Result<PaddingPlan> planPadding(Draft& draft, const ir::BlockNode& scope, const LayoutChange& change);

}  // namespace loom::schedule
