// Fences between what threads write to shared memory and what tensor cores and the copy engine do with it.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Adds the fences between the generic and the async proxy (fence.proxy.async). Tensor cores of a warpgroup and the copy
// engine reach shared memory through another proxy than threads (PTX ISA, "Async proxy"): write, fence, barrier, and
// then one of these agents may read or overwrite what was written. Must run after `placeBarriers`, since it adds no
// barriers: in each sequence of statements it puts one fence behind each run of neighbouring statements in which
// threads write buffers that such an agent accesses anywhere in the body, and so before the barrier that follows. For
// cp.async the wait for the copies counts as the write. Returns `body` itself if these agents access no shared memory.
device::Stmt withProxyFences(const device::Stmt& body);

}  // namespace loom::lower
