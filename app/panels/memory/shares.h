#pragma once

#include "app/panels/memory/view/memory.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The part of a column that a buffer's box takes, in px.
struct BoxShare {
  float left = 0, width = 0;  ///< from the column's left edge; the width has the gap to the next box
};

/// Returns how many marks of slots stand side by side in the box of mbarriers where it has no room for their names: a
/// ring of more slots has further rows.
int marksInARow(int slots);

/// Returns whether a buffer has a box of its own. All mbarriers share one, that of the first.
bool hasBox(const session::MemoryView& view, std::size_t buffer);

/// Returns the share of a buffer's box in its column, which is `column` px wide, if `gap` px of it are left free for
/// traffic that passes the level. Alone, a box leaves these free. Several take them, too, unless traffic does pass, and
/// mbarriers need no more than their marks: names have the rest.
BoxShare boxShare(const window::Look& look, const session::MemoryView& view, std::size_t buffer, float column,
                  float gap);

}  // namespace loom::panels
