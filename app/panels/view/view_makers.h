#pragma once

#include "app/session/view_makers.h"

namespace loom::session {

/// Returns the functions that make views of several panels along with programs and models: loop nests, code, listings,
/// memory and performance. A view that only its own panel shows needs none: `ViewCache` makes it when it is first asked
/// for.
ViewMakers viewMakers();

}  // namespace loom::session
