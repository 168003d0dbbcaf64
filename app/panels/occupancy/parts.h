#pragma once

#include "app/panels/performance/view/occupancy_parts.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Two bars beside each other, the registers and the shared memory of a multiprocessor: what of them a block takes, by
/// the parts of its warps and by buffer, and where further blocks that fit end. `width` px.
void drawOccupancyParts(const window::Look& look, const session::OccupancyParts& parts, float width);

}  // namespace loom::panels
