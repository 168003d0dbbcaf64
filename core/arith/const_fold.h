// Makes expressions inside core/arith: constants are folded as by TVM's TryConstFold, but operands aren't brought to
// one dtype as in core/ir/build.h.
#pragma once
#include <cstdint>

#include "core/ir/expr.h"

namespace loom::arith {

using ir::Expr;
using ir::ExprKind;

// Returns whether the dtype is a scalar int32 or int64, to which the rules for indices apply.
inline bool isIndexType(ir::DType t) { return t.isInt() && t.lanes == 1 && (t.bits == 32 || t.bits == 64); }

// Returns the folded result of the operation `a kind b`; null if it can't be folded. Both operands must have the same
// dtype. A division by the constant 0 isn't folded.
Expr tryFold(ExprKind kind, const Expr& a, const Expr& b);
// Makes the node without folding.
Expr makeNode(ExprKind kind, Expr a, Expr b);
// Returns the folded result of the operation `a kind b`, or its node if it can't be folded.
Expr make(ExprKind kind, const Expr& a, const Expr& b);

// Makes an integer, boolean or float constant; a Broadcast for vectors.
Expr constantOf(ir::DType dtype, std::int64_t value);
// Returns the negation of a bool; folded if `a` is constant.
Expr makeNot(const Expr& a);

inline bool isConstInt(const Expr& e) { return e->kind == ExprKind::IntImm; }
inline bool isConstNumber(const Expr& e) { return e->kind == ExprKind::IntImm || e->kind == ExprKind::FloatImm; }

}  // namespace loom::arith
