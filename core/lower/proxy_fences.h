// Fences between what threads write to shared memory and what tensor cores and the copy engine do with it.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Adds the fences between the generic and the async proxy. Tensor cores of a warpgroup and the copy engine reach shared
// memory through another proxy than threads (PTX ISA, "Async proxy"): a thread fences what it has written before
// others, behind a barrier, let these agents read or overwrite it. Returns the body with a fence behind the writes of
// each sequence of statements in which buffers are used through both proxies; `body` itself if there is none.
device::Stmt withProxyFences(const device::Stmt& body);

}  // namespace loom::lower
