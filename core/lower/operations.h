// The check that a kernel's expressions have only operations that CUDA code can be generated for.
#pragma once
#include "core/ir/result.h"
#include "core/ir/stmt.h"

namespace loom::lower {

// Checks that every operation in `e` can be written as CUDA code: that ir::whyNoKernelHas returns nothing for any part
// of it. A null `e` is fine. Error "NotAKernel" has the sentence of whyNoKernelHas on the first operation that can't be
// written, and names `block`, the block around `e`, which is null outside of blocks.
Result<void> refuseOperations(const ir::Expr& e, const ir::Block& block);

}  // namespace loom::lower
