#pragma once

#include "app/text/text.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// Draws one sentence that says why there is nothing to see.
void drawEmpty(const PanelContext& context, const text::Text& why);
/// Draws what a panel shows without a program: that one is being opened, or that none is open.
void drawNoProgram(const PanelContext& context);

}  // namespace loom::panels
