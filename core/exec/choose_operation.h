// The choice of the executor's arithmetic operations (Op, operations.h) for the nodes of TensorIR expressions.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/exec/operations.h"
#include "core/ir/expr.h"
#include "core/ir/message.h"

namespace loom::exec {

// An operation and, if its result must be brought back to its dtype, a second operation `wrap` on the result.
struct SelectedOperation {
  Op op = Op::Copy;
  std::optional<Op> wrap;
  std::int64_t bits = 0;  // the immediate operand of `wrap`: a number of bits to wrap integers to, or a FloatFormat
  std::int64_t imm = 0;   // the immediate operand of `op`
};

// Returns the operation that computes one lane of a binary node whose operands both have the dtype `operands` (its
// number of lanes doesn't matter); nothing if the executor has none.
std::optional<SelectedOperation> chooseBinary(ir::ExprKind kind, ir::DType operands);
// Returns the conversion between two scalar dtypes, which the executor has for all numbers; Op::Copy if the value stays
// the same.
SelectedOperation chooseCast(ir::DType from, ir::DType to);

// To be called before `chooseCall`. Returns an expression that equals the call (of T.fma, an external function or
// T.q_multiply_shift) and has only operations that `chooseBinary`, `chooseCast` and `chooseCall` know. Returns null for
// all other calls: `chooseCall` then says whether the executor has an operation for the call.
ir::Expr inOperations(const ir::CallNode& call);
// Returns the operation that computes a call of one or two operands, and sets `operands` to the operation's operands in
// their order, which needn't be all arguments of the call. Returns nothing, with `operands` undefined, if no single
// operation computes the call.
std::optional<SelectedOperation> chooseCall(const ir::CallNode& call, std::vector<ir::Expr>& operands);

// Returns the error message for a call that the executor has no operation for.
Message notExecutable(const ir::CallNode& call);

}  // namespace loom::exec
