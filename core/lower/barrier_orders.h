#pragma once

#include <vector>

#include "core/lower/shared_accesses.h"

namespace loom::lower {

/// Returns a kernel's body with the accesses that each of its barriers keeps in order (device::SyncNode::orders). A
/// barrier orders what comes before it, back to the barriers before, and what comes after it, up to the next ones,
/// along all paths. Barriers that the program itself has get their accesses like those that lowering has placed. This
/// must run before the pass `flatten`, which replaces indices by offsets. `kernel` has all barriers in its body.
/// `shared` and `conflicts`, which find the accesses to shared memory and the pairs of them that need an order, must
/// have been made for this same kernel object; `placeBarriers` hands on those with which it has placed the barriers, so
/// that what they have found is used again. All loops and branches that `shared` has entered must be left.
device::Stmt explainBarriers(const device::Kernel& kernel, SharedAccesses& shared, AccessConflicts& conflicts);

}  // namespace loom::lower
