#pragma once

#include "core/device/program.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws which of a warp's 32 lanes has which elements of its tile, and beside or below it the tiles that take their
/// place, of which all lanes name the first element.
void drawLanes(const window::Look& look, const tune::ThreadTiles& before, const device::ProductTile& tile);

}  // namespace loom::panels
