#pragma once

#include "app/panels/memory/view/memory.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// The part of a column that a buffer's box takes, in px, from the column's left edge. The next part begins at `left` +
/// `width`. The box itself is narrower than its part: MemoryBuffers leaves the right 3 design px (Look::px) of each
/// part free, also of the last one.
struct BoxShare {
  float left = 0, width = 0;
};

/// Where the box of mbarriers has no room for their names, an array of mbarriers is drawn as marks, one for each slot
/// of its ring buffer. Returns how many of the marks of an array with `slots` slots stand in a row: at most four.
int marksInARow(int slots);

/// Returns whether a buffer, given by its index in MemoryView::buffers, has a box of its own. All mbarriers share
/// one, that of the first.
bool hasBox(const session::MemoryView& view, std::size_t buffer);

/// Returns the part of its column, which is `column` px wide, that a buffer's box takes; `hasBox` must be true of the
/// buffer. The right `gap` px of the column stay free for the arrows of traffic that passes the level; if several boxes
/// share the column and no traffic passes, only 2 design px stay free. Parts of a column are equally wide, except that
/// the part of the mbarriers is only as wide as their marks, with or without a letter before them, if there is no room
/// for their names; the other boxes then share the rest.
BoxShare boxShare(const window::Look& look, const session::MemoryView& view, std::size_t buffer, float column,
                  float gap);

}  // namespace loom::panels
