// The choice of the executor's arithmetic operations (Op, operations.h) for the nodes of TensorIR expressions.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/exec/operations.h"
#include "core/ir/expr.h"
#include "core/ir/message.h"

namespace loom::exec {

// An operation and, if its result must be brought back to its dtype, a second operation `wrap` on the result. `bits` is
// the immediate operand of `wrap`: a number of bits where integers wrap, a FloatFormat where floats are rounded.
struct SelectedOperation {
  Op op = Op::Copy;
  std::optional<Op> wrap;
  std::int64_t bits = 0;  // the immediate operand of `wrap`
  std::int64_t imm = 0;   // the immediate operand of `op`
};

// Returns the operation that computes one lane of a binary node whose operands both have the dtype `operands`; nothing
// if the executor has none.
std::optional<SelectedOperation> chooseBinary(ir::ExprKind kind, ir::DType operands);
// Returns the conversion between two scalar dtypes; Op::Copy if the value stays the same.
SelectedOperation chooseCast(ir::DType from, ir::DType to);

// Returns an expression made of operations that `chooseBinary`, `chooseCast` and `chooseCall` know and equal to the
// call (of T.fma, an external function or T.q_multiply_shift). Returns null if the call is one that `chooseCall` knows
// itself, or if the executor has no operations for it.
ir::Expr inOperations(const ir::CallNode& call);
// Returns the operation that computes a call of one or two operands, and sets `operands` to the operation's operands in
// their order, which needn't be all arguments of the call. Returns nothing, with `operands` undefined, if no single
// operation computes the call.
std::optional<SelectedOperation> chooseCall(const ir::CallNode& call, std::vector<ir::Expr>& operands);

// Returns the error message for a call that the executor has no operation for.
Message notExecutable(const ir::CallNode& call);

}  // namespace loom::exec
