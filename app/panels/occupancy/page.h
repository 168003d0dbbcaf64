#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/performance/view/performance.h"

namespace loom::panels {

/// Draws the page Occupancy of the panel Performance for the state of `view`: how many warps are resident on a
/// multiprocessor, what limits their number, and how many there would be with other numbers of registers, bytes of
/// shared memory or block sizes. The state must be a kernel. `other` is the view of the state compared with (the
/// program after other schedule steps), which must live during the call only; null: none. Draws only a sentence with
/// the reason if the device's figures aren't known.
void drawOccupancy(PanelContext& context, const session::PerformanceView& view, const session::PerformanceView* other);

}  // namespace loom::panels
