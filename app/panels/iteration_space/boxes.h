#pragma once

#include <imgui.h>

#include "app/panels/iteration_space/view/scene.h"
#include "app/ui/look.h"

/// The boxes of the iteration space on the screen. `middle` is where the scene's centre stands, `pixels` its radius.
namespace loom::panels {

// The colours of a box.
struct BoxPaints {
  ImU32 fill = 0, edge = 0;
};
BoxPaints paintsOf(const window::Look& look, const session::IterationSpace& space, const session::SceneBox& box);

/// Draws the boxes as polygons, farthest first: for SVG, and if the driver can't draw the picture.
void drawBoxes(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
               ImVec2 middle, float pixels);

/// Draws the name and the range of each axis beside the edge of the box that lies farthest out. `chosen` is the chosen
/// piece; null: none is.
void drawAxisLabels(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
                    const session::Cuboid* chosen, ImVec2 middle, float pixels);

}  // namespace loom::panels
