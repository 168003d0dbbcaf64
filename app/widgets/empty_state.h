#pragma once

#include "app/text/text.h"
#include "app/widgets/context.h"

namespace loom::panels {

/// Draws `why`, a sentence that says why a panel has nothing to show.
void drawEmpty(const PanelContext& context, const text::Text& why);
/// Draws what a panel shows while no program is open: a sentence that a program is being opened, or that none is open.
void drawNoProgram(const PanelContext& context);

}  // namespace loom::panels
