#pragma once

#include <imgui.h>

#include "app/panels/iteration_space/view/scene.h"
#include "app/ui/look.h"

/// Draws the boxes of the iteration space: the iterations of one block (a statement with its iterators, as in TVM),
/// partitioned level by level into pieces (what one thread block, warp, lane or iteration of a loop executes). A piece
/// is chosen at each level and partitioned further at the next; the other pieces of that level are then veiled, that
/// is, drawn faintly. `middle` is the place of the scene's centre in px of the screen, and `pixels` the length of
/// SpaceScene::radius in px.
namespace loom::panels {

/// The colours of a box: of its faces before they are shaded, and of its edges.
struct BoxPaints {
  ImU32 fill = 0, edge = 0;
};
/// Returns the colours of a box by its level and its role: the chosen piece in the full colour of the level, other
/// pieces and veiled boxes (SceneBox::Role) paler. The box of the whole space has a neutral colour.
BoxPaints paintsOf(const window::Look& look, const session::IterationSpace& space, const session::SceneBox& box);

/// Draws the boxes as ImGui polygons, farthest first, and those that aren't veiled once more over all, half
/// transparent. Used for the export as SVG, and where the graphics driver can't render the picture
/// (views::BoxPicture::problem).
void drawBoxes(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
               ImVec2 middle, float pixels);

/// Draws the name of each axis with its extent, or with the range that is shown, beside the outermost edge along that
/// axis. An axis without a name gets no label. `chosen` is the chosen piece, null if there is none; where the picture
/// shows only a range of an axis, the label also has the piece's range.
void drawAxisLabels(const window::Look& look, const session::IterationSpace& space, const session::SpaceScene& scene,
                    const session::Cuboid* chosen, ImVec2 middle, float pixels);

}  // namespace loom::panels
