#pragma once

#include "core/device/program.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws the elements of a warp's tile of the output before tensorization (`before`), coloured by which of the warp's
/// 32 lanes computes them (lane 0 stands out), and beside it, or below if the width is too small, the tensor core tiles
/// of the size `tile` that replace them, which all 32 lanes compute together. Draws nothing if the warp's tile is empty
/// or has more than 16384 elements.
void drawLanes(const window::Look& look, const tune::ThreadTiles& before, const device::ProductTile& tile);

}  // namespace loom::panels
