// Which operations an expression of TensorIR is made of.
#pragma once
#include <optional>
#include <string>

#include "core/exec/operations.h"
#include "core/ir/expr.h"

namespace loom::exec {

// An operation and, where the result must be brought back to its dtype, the one that follows it with its constant.
struct Chosen {
  Op op = Op::Copy;
  std::optional<Op> wrap;
  std::int64_t bits = 0;
};

// Of a binary node over operands of one dtype (per lane). Nothing if the executor has none.
std::optional<Chosen> chooseBinary(ir::ExprKind kind, ir::DType operands);
// Of a conversion between two scalar dtypes; Copy where the value stays.
Chosen chooseCast(ir::DType from, ir::DType to);
// Of a call with one or two arguments, by TVM's name; `result` is the call's dtype.
std::optional<Chosen> chooseCall(const std::string& op, std::size_t arguments, ir::DType result);

}  // namespace loom::exec
