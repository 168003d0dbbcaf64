#pragma once

#include <string>

#include "app/panels/iteration_space/view/space.h"
#include "app/ui/look.h"

/// The box and its cuts in words.
namespace loom::panels {

window::Tone toneOf(const session::SpaceLevel& level);
/// "Z runs over i 1024 × j 1024 × k 1024".
std::string wholeText(const window::Look& look, const session::IterationSpace& space);
/// "64 blocks of the grid (8 × 8 × 1), each 128 × 128 × 1024". The view has the level's cut.
std::string cutText(const window::Look& look, const session::IterationSpace& space,
                    const session::IterationView& view, int level);
/// What is not as it looks: joined pieces, hidden axes, repeated work.
void drawNotes(const window::Look& look, const session::IterationSpace& space, const session::IterationView& view,
               int level);

}  // namespace loom::panels
