#pragma once

#include <cstdint>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a field for a number from `least` to `count` - 1, which the user drags or types; its name stands before it,
/// and `count` is shown in it. A value below 0, if `least` allows it, is shown as "all". `id` is the field's Dear ImGui
/// id; `width` is in px at 100 % scale. Returns whether the user changed the value; `value` is then the new one. A
/// value outside the limits is set to the nearest limit in any case. `count` must be greater than `least`.
bool drawNumber(const window::Look& look, const char* id, const char* name, std::int64_t& value, std::int64_t least,
                std::int64_t count, float width);

/// Places the next item beside the last one if there is room for another `width` px of the screen, or else below it.
void flowOn(const window::Look& look, float width);

}  // namespace loom::panels
