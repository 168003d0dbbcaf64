#pragma once

#include "app/ui/look.h"

namespace loom::session {
class Session;
}

namespace loom::window {

/// Draws the bar of steps: buttons for undo, redo, back, play and forward, a slider over all schedule steps from the
/// start through the current state (the program on show) to the end of its branch, and the current state's step, its
/// time and whether its result was checked. To be called within the main menu bar, after the menus; the bar takes the
/// room that they leave. Its layout doesn't depend on the state, so that nothing moves while the user steps through
/// states. A target must be open in the session.
void drawStepBar(const Look& look, session::Session& session);

}  // namespace loom::window
