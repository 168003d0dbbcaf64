// Which operations values in a kernel may be made of.
#pragma once
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Error "NotAKernel", which names the operation, its dtype and the block, where e holds an operation that has no CUDA
// text (ir/operation.h). `block` is the one around e; null outside of blocks.
Result<void> refuseOperations(const ir::Expr& e, const ir::Block& block);

}  // namespace loom::lower
