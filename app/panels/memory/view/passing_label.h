#pragma once

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// Returns where the bytes of an arrow that passes a level are written: the level above the gap between two levels,
/// as an int. It is the gap where the arrow starts, or the next one on its way in which its column has no arrow
/// between neighbouring levels, whose own bytes stand there. Returns -1 if there is none.
int gapOfPassingLabel(const MemoryView& view, const MemoryTraffic& passing);

}  // namespace loom::session
