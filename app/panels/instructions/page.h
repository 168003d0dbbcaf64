#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws the page Instructions of the panel Performance: how many instructions each pipe gets in the hot loop, which is
/// the loop that executes the most instructions of the machine code of the current, or previewed, program, and the
/// loop's memory instructions with the sectors or wavefronts of a request. While there is no machine code, it draws
/// why, and how to get it.
void drawInstructionMix(PanelContext& context);

}  // namespace loom::panels
