#pragma once

#include "app/panels/performance/view/occupancy_parts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws two bars, which stand for the registers and the shared memory of a multiprocessor: how much of them one block
/// takes, divided by warp role and by buffer, and marks for where each further block that fits ends. A bar is
/// left out if its figures aren't known or the kernel uses no shared memory. `width` is the room for both bars in px.
void drawOccupancyParts(const window::Look& look, const session::OccupancyParts& parts, float width);

}  // namespace loom::panels
