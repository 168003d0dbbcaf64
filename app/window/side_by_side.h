#pragma once

#include "app/panels/panel.h"

namespace loom::window {

/// Draws a panel twice in the room of the current window: left or above, `twin` with the state compared with, and
/// beside or below it the panel with the current one, each under its name. Requires a comparison of two states.
void drawBothSides(panels::Panel& panel, panels::Panel& twin, const panels::PanelContext& context);

}  // namespace loom::window
