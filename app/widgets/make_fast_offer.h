#pragma once

#include "app/widgets/context.h"

namespace loom::panels {

/// Draws a button that opens the dialog "Make it fast", which constructs a schedule by rules and lists its steps before
/// it applies them; the window draws the dialog. The button is always drawn: callers offer it for programs that can't
/// be lowered to a kernel, or in which no loop is bound to threads.
void drawMakeFast(PanelContext& context);

/// Returns the height, in px, of the line that `drawMakeFastLine` draws, with the space above it.
float makeFastLineHeight(const window::Look& look);
/// Draws the button of `drawMakeFast`, and beside it the sentence that no loop is bound to threads yet. If there is too
/// little room, the sentence is broken into lines of smaller type, or shortened with "…".
void drawMakeFastLine(PanelContext& context);

}  // namespace loom::panels
