// The check that a kernel's expressions have only operations that CUDA code can be generated for.
#pragma once
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Checks that every operation in `e` has a CUDA text (ir/operation.h). Error "NotAKernel" names the operation, its
// dtype and the block. `block` is the block around `e`; null outside of blocks.
Result<void> refuseOperations(const ir::Expr& e, const ir::Block& block);

}  // namespace loom::lower
