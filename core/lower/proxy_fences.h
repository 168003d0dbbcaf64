// Fences between what threads write to shared memory and what tensor cores and the copy engine do with it.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Returns the body of a kernel with the fences between the generic and the async proxy (fence.proxy.async) added.
// Tensor cores of a warpgroup and the copy engine reach shared memory through another proxy than threads (PTX ISA,
// "Async proxy"): write, fence, barrier, and then one of these agents may read or overwrite what was written. Must run
// after `placeBarriers`, since it adds no barriers. A write counts if some such agent accesses the buffer anywhere in
// the body. In a sequence, one fence stands behind neighbouring statements that write so, and hence before the barrier
// that follows; a statement that is in no sequence gets none of its own. For cp.async the wait for the copies counts as
// the write. Returns `body` itself if these agents access no shared memory.
device::Stmt withProxyFences(const device::Stmt& body);

}  // namespace loom::lower
