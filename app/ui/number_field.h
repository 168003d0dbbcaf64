#pragma once

#include <cstdint>

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// A number to drag or to type, with its name before it: from `least` to `count` - 1, of `count`. Below 0 it reads
/// "all". `width` in design px. True when it was changed.
bool drawNumber(const window::Look& look, const char* id, const char* name, std::int64_t& value, std::int64_t least,
                std::int64_t count, float width);

/// Goes on in this row while there is room for `width` px more.
void flowOn(const window::Look& look, float width);

}  // namespace loom::panels
