// The least and the greatest values of element types. Source: TVM's min_value and max_value.
#pragma once
#include <cstdint>

#include "core/ir/expr.h"

namespace loom::ir {

// Returns the greatest finite value of a float type.
double greatestFloat(DType type);
// Return the least and the greatest value of an integer or bool. uint64's greatest doesn't fit: 2^63 − 1.
std::int64_t leastInteger(DType type);
std::int64_t greatestInteger(DType type);

// Return the least and the greatest finite value of a scalar number's type as a constant of it.
Expr leastValue(DType type);
Expr greatestValue(DType type);

}  // namespace loom::ir
