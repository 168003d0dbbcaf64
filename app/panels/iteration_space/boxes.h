#pragma once

#include <imgui.h>

#include "app/panels/iteration_space/view/scene.h"
#include "app/ui/look.h"

/// The boxes of the iteration space on the screen. `middle` is where the scene's centre stands, `pixels` its radius.
namespace loom::panels {

struct BoxPaints {
  ImU32 fill = 0, edge = 0;
};
BoxPaints paintsOf(const window::Look& look, const session::IterationSpace& space, const session::SceneBox& box);

/// The boxes as areas of a drawing, farthest first: for SVG, and where the driver draws no picture.
void drawBoxes(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
               ImVec2 middle, float pixels);

/// Each axis' name and range beside that edge of the box which lies farthest out.
void drawAxisLabels(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
                    const session::Cuboid* chosen, ImVec2 middle, float pixels);

}  // namespace loom::panels
