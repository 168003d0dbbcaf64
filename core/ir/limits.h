// The least and the greatest values of element types. Source: TVM's min_value and max_value.
#pragma once
#include <cstdint>

#include "core/ir/expr.h"

namespace loom::ir {

// Returns the greatest finite value of a float type, whose negative is the least one; for bfloat16 that of float32, as
// TVM does, though bfloat16 has no such value.
double greatestFloat(DType type);
// Return the least and the greatest value of an integer type or bool. The greatest of uint64 doesn't fit in the result:
// 2^63 − 1 is returned for it.
std::int64_t leastInteger(DType type);
std::int64_t greatestInteger(DType type);

// Return the least and the greatest finite value of a scalar type (float, integer or bool) as an expression of that
// type: for bfloat16 as `greatestFloat` has it, for uint64 the true greatest, 2^64 − 1, as a call of large_uint_imm.
Expr leastValue(DType type);
Expr greatestValue(DType type);

}  // namespace loom::ir
