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

// Of a binary node over operands of one dtype (per lane). Nothing if the executor has none.
std::optional<SelectedOperation> chooseBinary(ir::ExprKind kind, ir::DType operands);
// Of a conversion between two scalar dtypes; Copy where the value stays.
SelectedOperation chooseCast(ir::DType from, ir::DType to);

// The call of a scalar operation in operations that `chooseCall` knows, where it is none itself: T.fma, an external
// function, T.q_multiply_shift. Null where it is one, or where the executor has none.
ir::Expr inOperations(const ir::CallNode& call);
// The operation of a call on one or two operands, which `operands` receives as they are to be computed with.
std::optional<SelectedOperation> chooseCall(const ir::CallNode& call, std::vector<ir::Expr>& operands);

// What is said of a call that the executor has no operation for.
Message notExecutable(const ir::CallNode& call);

}  // namespace loom::exec
