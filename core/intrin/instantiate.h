// Fresh copies of an intrinsic's implementation: each use of it in a program has buffers and variables of its own.
#pragma once
#include "core/ir/stmt.h"

namespace loom::intrin {

// Returns the function with new variables, buffers and ids. Index arithmetic (integers of 32 bits and more) gets
// `indexBits` bits, so that it fits the buffers of the program. Source: TVM 0.22, IndexDataTypeNormalizer.
ir::Function instantiate(const ir::Function& implementation, ir::IdSource& ids, int indexBits);

}  // namespace loom::intrin
