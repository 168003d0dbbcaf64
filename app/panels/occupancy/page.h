#pragma once

#include <string>

#include "app/panels/compare/view/figures.h"
#include "app/panels/panel.h"

namespace loom::panels {

/// How many warps live on a multiprocessor, what limits them, and how many there would be with other registers, shared
/// memory or block size. `other` is the state that it is compared with, or null.
void drawOccupancy(PanelContext& context, const session::PerformanceView& view,
                   const session::PerformanceView* other);

}  // namespace loom::panels
