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

/// Pictures of the panel Thread binding. The functions draw at ImGui's cursor, at most `width` px wide (wider only
/// where cells would get too small) and as high as needed, with `id` as the ImGui id. Those that return an optional
/// return what was clicked in this frame, or nothing. A lane is a number from 0 to 31.
namespace loom::panels::pictures {

/// Draws the 32 lanes of a warp. Bit l of `active` says whether lane l takes part and is lit, bit l of `framed` whether
/// it gets a frame because it accesses the clicked element. The lane `chosen` is outlined. Returns the lane that was
/// clicked.
std::optional<int> lanes(const window::Look& look, const char* id, std::uint32_t active, int chosen,
                         std::uint32_t framed, float width);

/// Returns the colour (ImU32) that `touched` gives to cells that are accessed by the chosen lane, else by its warp,
/// else by its block; 0, transparent, for those that none of them accesses (kNone).
unsigned touchedColour(const window::Look& look, session::TouchedPicture::Level level);

using Element = std::pair<std::int64_t, std::int64_t>;  ///< row and column in the buffer

/// Draws which elements of a buffer are accessed by the chosen block, warp and lane, no wider and no higher than
/// `width` px. The element `chosen` is marked. Returns the row and column of the first element of the cell that was
/// clicked.
std::optional<std::pair<std::int64_t, std::int64_t>> touched(const window::Look& look, const char* id,
                                                             const session::TouchedPicture& picture,
                                                             const std::optional<Element>& chosen, float width);

/// Draws how often the elements of a buffer are accessed, as a heat map in the colour `tone`: the more often, the
/// stronger. Size, `chosen` and return value are as for `touched`.
std::optional<std::pair<std::int64_t, std::int64_t>> heat(const window::Look& look, const char* id,
                                                          const session::TouchView& view, window::Tone tone,
                                                          const std::optional<Element>& chosen, float width);

/// Draws the elements that the lanes of a warp access in one execution of a statement; each cell has the numbers of the
/// lanes that access it. The cells of the lane `chosen` are marked. Returns the first lane of the cell that was
/// clicked. Draws nothing if no lane accesses an element.
std::optional<int> laneElements(const window::Look& look, const char* id, const session::LanePicture& picture,
                                int chosen, float width);

/// Draws the 128-byte lines of global memory, with their sectors, that a request touches. Sectors that the lane
/// `chosen` accesses are marked. Draws the first 16 lines and returns the number of the others.
int sectors(const window::Look& look, const char* id, const session::RequestPicture& request, int chosen, float width);

}  // namespace loom::panels::pictures
