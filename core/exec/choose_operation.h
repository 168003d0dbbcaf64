// Which operations an expression of TensorIR is made of.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/exec/operations.h"
#include "core/ir/expr.h"
#include "core/ir/message.h"

namespace loom::exec {

// An operation with its constant and, where the result must be brought back to its dtype, the one that follows it with
// its own: for the wrapping of integers the bits, for rounding the FloatFormat.
struct SelectedOperation {
  Op op = Op::Copy;
  std::optional<Op> wrap;
  std::int64_t bits = 0;  // of `wrap`
  std::int64_t imm = 0;   // of `op`
};

// Returns the operation of a binary node over operands of one dtype, for each lane; nothing if the executor has none.
std::optional<SelectedOperation> chooseBinary(ir::ExprKind kind, ir::DType operands);
// Returns the conversion between two scalar dtypes; Copy if the value stays.
SelectedOperation chooseCast(ir::DType from, ir::DType to);

// Returns a call (T.fma, an external function, T.q_multiply_shift) in terms of operations that `chooseCall` has.
// Returns null if the call is one of these itself, or if the executor has none for it.
ir::Expr inOperations(const ir::CallNode& call);
// Returns the operation of a call on one or two operands, and puts into `operands` what it is to be computed with.
std::optional<SelectedOperation> chooseCall(const ir::CallNode& call, std::vector<ir::Expr>& operands);

// Returns the sentence on a call that the executor has no operation for.
Message notExecutable(const ir::CallNode& call);

}  // namespace loom::exec
