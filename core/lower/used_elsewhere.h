// Whether a kernel accesses what the copy engine stores to global memory a second time. Nobody in the kernel sees it:
// the waits that kernels have end when the copy engine has read its source (bulk_stores.h), not when it has written.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Returns whether a statement of the kernel other than `store`, in this or another iteration or thread of the same
// block, may read or write an element of a buffer in global memory that `store` writes. `store` is a statement of the
// kernel's body, from before loops are pipelined and `flatten`. False: for each other access there is a dimension
// along which it's proved to be of other elements. What `store` itself writes in several iterations isn't looked at,
// and neither is what other blocks access.
bool isUsedElsewhere(const device::Kernel& kernel, const device::StoreNode& store);

}  // namespace loom::lower
