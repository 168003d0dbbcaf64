#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/view/roofline.h"

namespace loom::panels {

/// What the user has chosen in a roofline.
struct RooflineChoice {
  session::Traffic link = session::Traffic::kL2;  ///< that intensities are taken over
  bool isCompiled = false;                        ///< bytes are those of the machine code
};

/// Draws the plane of a roofline in the room that is left: axes, ceilings, the points of states with the way to the
/// current one, what the state compared with and a preview have, and hovers. A click on a point goes to its state.
/// `caption` has what is said below the axis, the most important first, as far as there is room. To be called once a
/// frame.
void drawRooflinePlot(PanelContext& context, const session::RooflineView& view, const RooflineChoice& choice,
                      const std::vector<std::string>& caption);

}  // namespace loom::panels
