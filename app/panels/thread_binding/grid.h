#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/waves.h"
#include "app/ui/palette.h"

namespace loom::window {
struct Look;
}

namespace loom::panels::pictures {

/// The part that is seen of a picture of more numbered things (blocks or warps) than can be drawn apart. The caller
/// keeps a default-made object from frame to frame; `numbers` sets all members, and shows the whole arrangement again
/// if its size has changed.
struct GridZoom {
  std::int64_t columns = 0, rows = 0;  ///< size of the whole arrangement, in cells
  int level = 0;  ///< 0: the whole arrangement is seen; each further level halves the columns seen, the rows, or both
  std::int64_t column = 0, row = 0;  ///< the first column and row that are seen
};

/// Returns the arrangement (which thing lies in which cell of a rectangle) in which things are drawn in `width` px. A
/// single row of 16, 24, … or 64 things whose numbers have no room, and a single column of more than 16 things, are
/// broken into several rows like a text; `byResult` is then false, since things no longer lie like their parts of the
/// result. Other arrangements are returned unchanged. `numbers` calls this function itself.
session::Arrangement folded(const window::Look& look, const session::Arrangement& things, float width);

/// Draws `count` numbered things (blocks of a grid, warps of a block) in their arrangement, at most `width` px wide, in
/// the colour `tone`. `id` is the ImGui id. The thing with the number `chosen`, from 0 to count − 1, is outlined.
/// `framed` has the numbers, ascending, of the things that access the clicked element of a buffer. If `waves` isn't
/// null, each block has the number (from 1) and the colour of its wave. If square cells would be too many, too small to
/// click (only with a `zoom`), or make the rectangle much higher than wide, one area is drawn instead; in
/// it, cells needn't be square, and those too small to be seen run together. The mouse wheel or a click enlarges the
/// area, down to cells that can be clicked, and Escape or a button shows the whole area again; if `zoom` is null, this
/// lasts for one frame only. Returns the number of the thing that was clicked; nothing if none was, or if the click
/// enlarged the area.
std::optional<std::int64_t> numbers(const window::Look& look, const char* id, const session::Arrangement& things,
                                    std::int64_t count, std::int64_t chosen, window::Tone tone, float width,
                                    const std::vector<std::int64_t>& framed, const session::BlockWaves* waves = nullptr,
                                    GridZoom* zoom = nullptr);

}  // namespace loom::panels::pictures
