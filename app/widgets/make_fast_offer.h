#pragma once

#include "app/widgets/context.h"

namespace loom::panels {

/// Draws a button that opens the dialog "Make it fast". To be drawn where the state is no kernel, or has nothing bound
/// to threads.
void drawMakeFast(PanelContext& context);

/// Returns the height, in px, of the line that `drawMakeFastLine` draws, with the space above it.
float makeFastLineHeight(const window::Look& look);
/// Draws the button with a sentence beside it, where that has room.
void drawMakeFastLine(PanelContext& context);

}  // namespace loom::panels
