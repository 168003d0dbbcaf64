#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/view/roofline.h"

namespace loom::panels {

/// What the user has chosen in a roofline.
struct RooflineChoice {
  session::Traffic link = session::Traffic::kL2;  ///< link (memory, L2, …) whose bytes intensities count
  /// Whether the bytes are those of the machine code; otherwise those of the program as written.
  bool isCompiled = false;
};

/// Draws a roofline plot in the room that is left in the window: axes, ceilings, a point for each state (the program
/// after some schedule steps), the path from state to state up to the current one, marks for the state compared with
/// and for a previewed step, and tooltips. A click on a point makes its state the current one. `caption` has texts for
/// below the axis, the most important first, which are drawn as far as there is room. To be called once a frame.
void drawRooflinePlot(PanelContext& context, const session::RooflineView& view, const RooflineChoice& choice,
                      const std::vector<std::string>& caption);

}  // namespace loom::panels
