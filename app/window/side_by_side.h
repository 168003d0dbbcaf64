#pragma once

#include "app/panels/panel.h"

namespace loom::window {

/// Draws two objects of the same kind of panel in the room of the current ImGui window, each under the name of its
/// state (the program after some steps of its schedule): on the left or above, `twin` with the state that the current
/// one is compared with; on the right or below, `panel` with the current state. In the session of `context`, a
/// comparison must be under way. If the user applies or proposes steps in `twin`, the two states are exchanged first,
/// so that the steps apply to the state of `twin`.
void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context);

}  // namespace loom::window
