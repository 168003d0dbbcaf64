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

// Returns the folded result of the operation `a kind b`; null if it can't be folded. `kind` is a binary operation, Add
// to Or, and both operands must have the same dtype. One constant operand may be enough (x + 0). Of operations without
// a constant operand, only min and max of one and the same node are folded. Integers wrap to their dtype, but a
// division by the constant 0 and an unsigned result below 0 aren't folded.
Expr tryFold(ExprKind kind, const Expr& a, const Expr& b);
// Returns the node of the operation `a kind b`, unfolded. Its dtype is that of `a`; bool, of as many lanes, for EQ to
// Or.
Expr makeNode(ExprKind kind, Expr a, Expr b);
// Returns the folded result of the operation `a kind b`, or its node if it can't be folded.
Expr make(ExprKind kind, const Expr& a, const Expr& b);

// Returns the constant `value`, an IntImm or a FloatImm; for vectors a Broadcast of it. Whether an integer fits the
// dtype isn't checked; for vectors it goes through a double, so its magnitude must not exceed 2^53.
Expr constantOf(ir::DType dtype, std::int64_t value);
// Returns the negation of a bool; folded if `a` is a scalar constant.
Expr makeNot(const Expr& a);

// Returns whether an expression, not null, is a scalar integer or boolean constant (IntImm).
inline bool isConstInt(const Expr& e) { return e->kind == ExprKind::IntImm; }
// Returns whether an expression, not null, is a scalar integer, boolean or float constant.
inline bool isConstNumber(const Expr& e) { return e->kind == ExprKind::IntImm || e->kind == ExprKind::FloatImm; }

}  // namespace loom::arith
