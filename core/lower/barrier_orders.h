#pragma once

#include <vector>

#include "core/lower/shared_accesses.h"

namespace loom::lower {

/// Returns a kernel's body with the accesses that each of its barriers keeps in order (device::SyncNode::orders). A
/// barrier orders what comes before it, back to the barriers before, and what comes after it, up to the next ones,
/// along all paths. Barriers of the program's own are told their accesses as those that lowering has placed. Works
/// before `flatten`. `shared` and `conflicts` are the kernel's: what was found where the barriers were placed is asked
/// for again here.
device::Stmt explainBarriers(const device::Kernel& kernel, SharedAccesses& shared, AccessConflicts& conflicts);

}  // namespace loom::lower
