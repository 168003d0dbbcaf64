#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// What the hot loop of the current state's machine code is made of, by pipe, and its memory instructions with what a
/// request of them costs; or why there is no machine code and how to get it.
void drawInstructionMix(PanelContext& context);

}  // namespace loom::panels
