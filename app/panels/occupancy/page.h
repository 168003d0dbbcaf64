#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"

namespace loom::panels {

/// Draws the page Occupancy: how many warps are resident on a multiprocessor, what limits them, and how many there
/// would be with other registers, shared memory or block size. `other` is the state that is compared with, or null.
void drawOccupancy(PanelContext& context, const session::PerformanceView& view, const session::PerformanceView* other);

}  // namespace loom::panels
