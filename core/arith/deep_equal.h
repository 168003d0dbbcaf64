// Compares expressions as TVM's rewriting rules do, and says which effects evaluating them may have. No expression may
// be null.
#pragma once
#include "core/ir/expr.h"

namespace loom::arith {

using ir::Expr;

// Compares two expressions of the same kind, other than variables, for `deepEqual`.
bool deepEqualNodes(const Expr& a, const Expr& b);
// Returns whether both are the same tree: the same variables and buffers by identity (also where an expression binds
// the variable itself), the same constants of the same dtype.
inline bool deepEqual(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->kind == ir::ExprKind::Var) return false;
  return deepEqualNodes(a, b);
}

// What evaluating an expression may do with memory, in ascending order: nothing, read it, or change it.
enum class Effect { Pure, ReadState, UpdateState };
// Returns the greatest effect in an expression. A load has ReadState; a call has UpdateState unless its operator is
// known to be a pure function of its arguments.
Effect effectOf(const Expr& e);

}  // namespace loom::arith
