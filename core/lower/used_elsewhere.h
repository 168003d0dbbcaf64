// Whether a kernel accesses what the copy engine stores to global memory a second time. Nobody in the kernel sees it:
// the waits that kernels have end when the copy engine has read its source (bulk_stores.h), not when it has written.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Returns whether a statement of the kernel other than `store`, in this or another iteration or thread of the same
// block, may write an element of a buffer in global memory that `store` writes, or read it once `store` has begun.
// `store` is a statement of the kernel's body, from before loops are pipelined and `flatten`. False: each other access
// is a read that is over before `store` begins, or there is a dimension along which it's proved to be of other
// elements. What `store` itself writes in several iterations isn't looked at, and neither is what other blocks access.
bool isUsedElsewhere(const device::Kernel& kernel, const device::StoreNode& store);

// Returns the outermost loop whose iterations all store to the same elements what they have written to `from`, the
// buffer that `store` copies, before; null: no loop around is known to do so. `store` is as above.
const device::LoopNode* loopThatStoresAgain(const device::Kernel& kernel, const device::StoreNode& store,
                                            const device::Buffer& from);

}  // namespace loom::lower
