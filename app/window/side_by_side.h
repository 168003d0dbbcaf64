#pragma once

#include "app/panels/panel.h"

namespace loom::window {

/// Draws two panels of one kind in the current ImGui window, each under the name of its state (the program after some
/// schedule steps): on the left, or above in a narrow window that is higher than wide, `twin` with the state that the
/// current one is compared with; on the right or below, `panel`, another object, with the current state. Two states
/// must be under comparison. If the user applies or proposes steps in `twin`, its state first becomes the current one,
/// and the other the one compared with.
void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context);

}  // namespace loom::window
