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

/// Where the box of mbarriers has no room for their names, an array of mbarriers is drawn as marks, one for each slot
/// of its ring buffer. Returns how many of the marks of an array with `slots` slots stand in a row: at most four.
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
