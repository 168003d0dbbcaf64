#pragma once

#include "app/panels/performance/view/occupancy_parts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws two bars side by side, which stand for all registers and all shared memory of a multiprocessor. Each shows how
/// much one block takes, registers divided by warp role and shared memory by buffer, and a frame for each further block
/// that fits. A bar is left out if its figures aren't known or the kernel uses no shared memory; the other one then
/// gets the whole room of `width` px. Below the bars stands a line for each piece of shared memory in which several
/// buffers lie.
void drawOccupancyParts(const window::Look& look, const session::OccupancyParts& parts, float width);

}  // namespace loom::panels
