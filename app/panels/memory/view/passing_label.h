#pragma once

#include "app/panels/memory/view/memory.h"

namespace loom::session {

/// Returns where to write the bytes of the arrow `passing`, which passes at least one memory level in the picture of
/// the hierarchy. The place is a gap between two neighbouring levels, given by the upper level's number (MemoryLevel).
/// It is the first gap on the way from the arrow's source to its target in which no arrow of the same column
/// (MemoryTraffic::column) connects the two levels, since such an arrow has its own bytes there. Returns -1 if there is
/// no such gap.
int gapOfPassingLabel(const MemoryView& view, const MemoryTraffic& passing);

}  // namespace loom::session
