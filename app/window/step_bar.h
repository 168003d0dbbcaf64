#pragma once

#include "app/ui/look.h"

namespace loom::session {
class Session;
}

namespace loom::window {

/// The bar of steps: undo and redo, back, play and forward, a slider over all steps of the way through the current
/// state, and what that state is: its step, its time and whether its result was checked. To be drawn within the main
/// menu bar, after the menus; takes the room that they leave. Its measures don't depend on the state, so that nothing
/// moves while one steps. Requires an open target.
void drawStepBar(const Look& look, session::Session& session);

}  // namespace loom::window
