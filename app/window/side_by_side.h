#pragma once

#include "app/panels/panel.h"

namespace loom::window {

/// Draws two panels of one kind in the current ImGui window, each under the name of its state (the program after some
/// schedule steps): on the left or above, `twin` with the state that the current one is compared with; on the right or
/// below, `panel` with the current state. Two states must be under comparison. If the user applies or proposes steps in
/// `twin`, the two states are exchanged first, so that the steps are for the state that `twin` shows.
void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context);

}  // namespace loom::window
