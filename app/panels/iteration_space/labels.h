#pragma once

#include <string>

#include "app/panels/iteration_space/view/space.h"
#include "app/ui/look.h"

/// Sentences about the box of iterations and about the levels at which the schedule partitions it (view/space.h).
namespace loom::panels {

/// Returns the colour in which the pieces of a level are drawn: that of its hardware axis.
window::Tone toneOf(const session::SpaceLevel& level);
/// Returns the sentence for the whole box: "Z runs over i 1024 × j 1024 × k 1024", with extents in iterations.
std::string wholeText(const window::Look& look, const session::IterationSpace& space);
/// Returns the sentence for one level: "64 blocks of the grid (8 × 8 × 1), each 128 × 128 × 1024". `level` is an index
/// into the space's levels, of which `view`, a view of `space`, has the partition: 0 to `view.level`.
std::string cutText(const window::Look& look, const session::IterationSpace& space, const session::IterationView& view,
                    int level);
/// Draws, under the picture, what the picture cannot show of the levels from 0 to `level`: that several children are
/// drawn as one piece, that bounding boxes stand for exact parts, that axes are hidden, and that threads repeat work.
void drawNotes(const window::Look& look, const session::IterationSpace& space, const session::IterationView& view,
               int level);

}  // namespace loom::panels
