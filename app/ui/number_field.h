#pragma once

#include <cstdint>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Draws a number to drag or to type, behind its name: from `least` to `count` - 1, with `count` beside it. A value
/// below 0 is shown as "all". `width` is in px of the design. Returns whether it was changed.
bool drawNumber(const window::Look& look, const char* id, const char* name, std::int64_t& value, std::int64_t least,
                std::int64_t count, float width);

/// Goes on in this row while there is room for `width` px more.
void flowOn(const window::Look& look, float width);

}  // namespace loom::panels
