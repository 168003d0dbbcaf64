#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws the page Instructions of the panel Performance for the machine code of the current, or previewed, program: for
/// each pipe, how many instructions it has in the hot loop (the loop that executes the most instructions) and how many
/// warps execute over the grid; and the loop's memory instructions with the sectors or wavefronts of a request. While
/// there is no machine code, it draws why, and how to get it.
void drawInstructionMix(PanelContext& context);

}  // namespace loom::panels
