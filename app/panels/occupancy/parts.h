#pragma once

#include "app/panels/performance/view/occupancy_parts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws two bars beside each other, the registers and the shared memory of a multiprocessor: what a block takes of
/// them, by the parts of its warps and by buffer, and where further blocks that fit end. `width` is in px.
void drawOccupancyParts(const window::Look& look, const session::OccupancyParts& parts, float width);

}  // namespace loom::panels
