#pragma once

#include <vector>

#include "core/lower/access_conflicts.h"

namespace loom::lower {

/// Returns a kernel's body with the accesses that each of its barriers keeps in order (device::SyncNode::orders). A
/// barrier orders what comes before it, back to the barriers before, and what comes after it, up to the next ones,
/// along all paths. Barriers of the program's own are told their accesses as those that lowering has placed. Works
/// before `flatten`. `symbols` are the function's.
device::Stmt explainBarriers(const device::Kernel& kernel, const std::vector<ir::Symbol>& symbols);

}  // namespace loom::lower
