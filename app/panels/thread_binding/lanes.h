#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/panels/thread_binding/view/accesses.h"
#include "app/panels/thread_binding/view/touch_counts.h"
#include "app/ui/palette.h"

namespace loom::window {
struct Look;
}

/// The pictures of the panel Thread binding. Each draws into the room `width` at the cursor and takes the height that
/// it needs; what was clicked comes back.
namespace loom::panels::pictures {

/// Draws the 32 lanes of a warp; those that take part are lit. Returns the lane that was clicked.
std::optional<int> lanes(const window::Look& look, const char* id, std::uint32_t active, int chosen,
                         std::uint32_t framed, float width);

/// Returns the colour of a cell of that level in `touched`.
unsigned touchedColour(const window::Look& look, session::TouchedPicture::Level level);

using Element = std::pair<std::int64_t, std::int64_t>;  ///< row and column

/// Draws the accessed elements of a buffer with the chosen one, no wider and no higher than `width` px. Returns the row
/// and column of the first element of the cell that was clicked.
std::optional<std::pair<std::int64_t, std::int64_t>> touched(const window::Look& look, const char* id,
                                                             const session::TouchedPicture& picture,
                                                             const std::optional<Element>& chosen, float width);

/// Draws how often the elements of a buffer are accessed: the more often, the fuller. Otherwise as `touched`.
std::optional<std::pair<std::int64_t, std::int64_t>> heat(const window::Look& look, const char* id,
                                                          const session::TouchView& view, window::Tone tone,
                                                          const std::optional<Element>& chosen, float width);

/// Draws which lane accesses what in one execution: each cell names its lanes. Returns the lane that was clicked.
std::optional<int> laneElements(const window::Look& look, const char* id, const session::LanePicture& picture,
                                int chosen, float width);

/// Draws the lines and sectors of global memory that a request touches. Returns how many lines had no room.
int sectors(const window::Look& look, const char* id, const session::RequestPicture& request, int chosen, float width);

}  // namespace loom::panels::pictures
