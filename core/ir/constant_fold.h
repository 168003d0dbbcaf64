// Folds constant operands as TVM's operators do. Internal to core/ir; others use `fold` and `cast` of build.h.
#pragma once
#include "core/ir/expr.h"

namespace loom::ir {

// Returns the folded result of the binary operation `kind` on operands of one dtype: of two constants (integers wrap to
// their width), or an identity such as x + 0. Null if nothing can be folded, so that a node is needed. A division by
// the constant zero, and 0 minus a positive unsigned constant, aren't folded (TVM throws for them).
Expr foldConstants(ExprKind kind, const Expr& a, const Expr& b);

}  // namespace loom::ir
