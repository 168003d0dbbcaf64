// Copies the implementation of a tensor intrinsic for use in a program; each copy has its own buffers and variables.
#pragma once
#include "core/ir/stmt.h"

namespace loom::intrin {

// Returns a copy of the function with new variables and buffers, and new ids from `ids` for its loops, blocks and
// buffers. Index arithmetic (integers of 32 bits and more) gets `indexBits` bits, 32 or 64, so that it fits the buffers
// of the program. Source: TVM 0.22, IndexDataTypeNormalizer.
ir::Function instantiate(const ir::Function& implementation, ir::IdSource& ids, int indexBits);

}  // namespace loom::intrin
