#pragma once

#include "core/model/active_clusters.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws the thread block clusters of a kernel that are active at a time: a line of text, and below it, if the
/// device's GPCs are known (ActiveClusters::gpcs isn't empty), each GPC with the clusters that it holds and the places
/// for blocks that stay empty. Draws nothing for a kernel without clusters. `width` is that of the picture, in px. Also
/// shows the tooltips of the line and of the GPC under the mouse.
void drawActiveClusters(const window::Look& look, const model::Waves& waves, float width);

}  // namespace loom::panels
