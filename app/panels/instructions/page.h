#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Draws the page Instructions of the panel Performance for the machine code of the current, or previewed, program. For
/// each pipe it shows two numbers: of its instructions in the code of the hot loop (the loop that executes the most
/// instructions), and of the warp instructions that it executes in the whole launch. It lists the loop's memory
/// instructions with the sectors (global memory) or wavefronts (shared memory) of a request. While there is no machine
/// code, it draws why, and how to get it.
void drawInstructionMix(PanelContext& context);

}  // namespace loom::panels
