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

/// Which part is seen of more things than can be told apart.
struct GridZoom {
  std::int64_t columns = 0, rows = 0;  ///< of all things that it is of
  int level = 0;                       ///< 0: all of them; each further one halves what is seen
  std::int64_t column = 0, row = 0;    ///< the first that are seen
};

/// Returns how things are drawn in `width` px: in their rectangle; or, where that is a single row whose numbers have no
/// room, or a single column that is higher than a panel, folded like a text, and then not `byResult`.
session::Arrangement folded(const window::Look& look, const session::Arrangement& things, float width);

/// Draws numbered things (blocks, warps) in their rectangle, as wide as `width` px allow. `framed` ones, ascending,
/// access the element that was asked about. More things than can be told apart, or hit with a mouse, or in a rectangle
/// much higher than wide, are drawn as an area: with a `zoom` the wheel and a click come nearer to it, down to things that can be clicked, and Escape or a
/// button goes back. Returns the number of the one that was clicked; nothing if none was.
std::optional<std::int64_t> numbers(const window::Look& look, const char* id, const session::Arrangement& things,
                                    std::int64_t count, std::int64_t chosen, window::Tone tone, float width,
                                    const std::vector<std::int64_t>& framed, const session::BlockWaves* waves = nullptr,
                                    GridZoom* zoom = nullptr);

}  // namespace loom::panels::pictures
