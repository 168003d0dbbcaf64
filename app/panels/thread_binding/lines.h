#pragma once

#include "app/panels/thread_binding/view/shared_lines.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// Draws the 1024 bytes of shared memory in which a tile begins whose lines are swizzled: 8 rows of 128 bytes, banks
/// 0–31 from left to right. A line is a row of the tile, 32, 64 or 128 bytes long, whose 16-byte pieces are permuted
/// against bank conflicts. Each cell is 16 bytes and has the number of the piece of the line that lies there; cells
/// that belong to the tile are in a strong colour, others in a faint one. `id` is the ImGui id. The picture is at most
/// `width` px wide.
void sharedLines(const window::Look& look, const char* id, const session::SharedLines& lines, float width);

}  // namespace loom::panels::pictures
