#pragma once

#include <string>

#include "app/panels/panel.h"
#include "app/panels/roofline/view/roofline.h"

namespace loom::panels {

/// What the user has chosen in a roofline.
struct RooflineChoice {
  session::Traffic link = session::Traffic::kL2;  ///< link (memory, L2, …) whose bytes intensities count
  /// Whether bytes are counted in the machine code; otherwise in the program as written. The view must have been made
  /// with the same choice.
  bool isCompiled = false;
};

/// Draws a roofline plot in the room that is left in the window: the throughput in TFLOP/s over the intensity in FLOP
/// per byte of the chosen link, both on logarithmic scales; ceilings, cuBLASLt's throughput if it is known, a point for
/// each state (the program after some schedule steps), the path from state to state up to the current one, marks for
/// the state compared with and for a previewed step, and tooltips. A click on a point makes its state the current one.
/// Where there is no point, or none of the current state, a text says why. `caption` has texts for below the axis, the
/// most important first, which are drawn as far as there is room. To be called once a frame.
void drawRooflinePlot(PanelContext& context, const session::RooflineView& view, const RooflineChoice& choice,
                      const std::vector<std::string>& caption);

}  // namespace loom::panels
