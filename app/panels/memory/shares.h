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

/// Returns how many marks, one for each slot of a ring buffer, stand side by side in the box of mbarriers if it has no
/// room for their names, at most four; a ring buffer of more slots has further rows of marks.
int marksInARow(int slots);

/// Returns whether a buffer, given by its index in MemoryView::buffers, has a box of its own. All mbarriers share
/// one, that of the first.
bool hasBox(const session::MemoryView& view, std::size_t buffer);

/// Returns the part of its column, which is `column` px wide, that a buffer's box takes. The right `gap` px of the
/// column stay free for the arrows of traffic that passes the level; if several boxes share the column and no traffic
/// passes, they take this room, too. Boxes that share a column are equally wide, except that the box of mbarriers is
/// only as wide as its marks if there is no room for more; the other boxes then share the rest.
BoxShare boxShare(const window::Look& look, const session::MemoryView& view, std::size_t buffer, float column,
                  float gap);

}  // namespace loom::panels
