// Fences between what threads write to shared memory and what tensor cores and the copy engine do with it.
#pragma once
#include "core/device/program.h"

namespace loom::lower {

// Tensor cores of a warpgroup and the copy engine reach shared memory by another way than threads (PTX ISA, "Async
// proxy"): a thread fences what it has written before others, behind a barrier, let them read or overwrite it. The body
// with a fence behind the writes of each sequence of statements, where buffers are used in both ways; itself where none
// are.
device::Stmt withProxyFences(const device::Stmt& body);

}  // namespace loom::lower
