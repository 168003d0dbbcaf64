// Identity of expressions inside rules, and what evaluating them may do.
#pragma once
#include "core/ir/expr.h"

namespace loom::arith {

using ir::Expr;

bool deepEqualNodes(const Expr& a, const Expr& b);
// Returns whether both are the same tree: the same variables and buffers by identity, the same constants of the same
// dtype.
inline bool deepEqual(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->kind == ir::ExprKind::Var) return false;
  return deepEqualNodes(a, b);
}

enum class Effect { Pure, ReadState, UpdateState };
// Loads read state; calls that are not known to be pure functions of their arguments update it.
Effect effectOf(const Expr& e);

}  // namespace loom::arith
