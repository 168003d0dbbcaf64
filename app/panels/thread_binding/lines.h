#pragma once

#include "app/panels/thread_binding/view/shared_lines.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// Draws the 1024 bytes of shared memory in which a tile of swizzled lines begins, 128 bytes a row, the banks from left
/// to right: which 16 bytes of which line lie where. The part that belongs to the tile is filled. At most `width` px
/// wide.
void sharedLines(const window::Look& look, const char* id, const session::SharedLines& lines, float width);

}  // namespace loom::panels::pictures
