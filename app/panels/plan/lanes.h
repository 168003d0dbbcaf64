#pragma once

#include "core/device/program.h"
#include "core/tune/tensorize/thread_unification.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws which of a warp's 32 lanes computes which elements of the warp's tile before tensorization (`before`), and
/// beside or below it the tensor core tiles `tile` that replace them, which all 32 lanes compute together.
void drawLanes(const window::Look& look, const tune::ThreadTiles& before, const device::ProductTile& tile);

}  // namespace loom::panels
