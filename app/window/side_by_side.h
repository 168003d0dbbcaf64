#pragma once

#include "app/panels/panel.h"

namespace loom::window {

/// Draws two objects of a panel in the room of the current ImGui window, each under the name of its state: on the left
/// or above, `twin` with the state that the current one is compared with; on the right or below, `panel` with the
/// current state. Two states must be under comparison.
void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context);

}  // namespace loom::window
