#pragma once

#include <string>

#include "app/panels/iteration_space/view/space.h"
#include "app/ui/look.h"

/// Sentences about the box of a block's iterations and about the levels at which the schedule partitions it
/// (view/space.h): into children, which are thread blocks, warps, lanes or iterations of a loop.
namespace loom::panels {

/// Returns the colour in which the pieces of a level are drawn: that of its hardware axis.
window::Tone toneOf(const session::SpaceLevel& level);
/// Returns the sentence for the whole box: "Z: i 1024 × j 1024 × k 1024", the name of the block, and its drawn axes
/// with their extents in iterations.
std::string wholeText(const window::Look& look, const session::IterationSpace& space);
/// Returns the sentence for one level: "64 blocks (8 × 8): 128 × 128 × 1024", the number of children, how many of them
/// lie along the axes (left out for a loop, "16 runs of k: 64 × 64 × 16"), and the iterations of the chosen child along
/// each axis. `view` is a view of `space`, and `level` an index into the space's levels from 0 to `view.level`; so in
/// `drawNotes`.
std::string cutText(const window::Look& look, const session::IterationSpace& space, const session::IterationView& view,
                    int level);
/// Draws, under the picture, what the picture cannot show of the levels from 0 to `level`: the tile of a tensor
/// instruction, axes that are hidden, that several children are drawn as one piece, that bounding boxes stand for exact
/// parts, and that threads repeat work. Below these stands a hint on how to use the mouse.
void drawNotes(const window::Look& look, const session::IterationSpace& space, const session::IterationView& view,
               int level);

}  // namespace loom::panels
