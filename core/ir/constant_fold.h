// What TVM's operators make of constant operands. Private to the room: `fold` and `cast` of build.h are the way in.
#pragma once
#include "core/ir/expr.h"

namespace loom::ir {

// Returns the folded result of `kind` on operands of one dtype; null if TVM keeps the node. A division by the constant
// zero, and a difference of unsigned constants that would be negative, are kept (TVM throws).
Expr foldConstants(ExprKind kind, const Expr& a, const Expr& b);

}  // namespace loom::ir
