#pragma once

#include "app/panels/code/view/names.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws the contents of a tooltip, a description of the loop, axis or buffer that a word of code names. `nest` is the
/// loop nest that `name.row` refers to. Axes and buffers are described from `name` alone; if `declared`, a buffer's
/// bytes are those that TVMScript declares, else those of a block or thread in the kernel. Draws nothing for a loop
/// that the nest lacks (a negative `name.row`). To be called between ImGui::BeginTooltip and ImGui::EndTooltip.
void drawCodeName(const window::Look& look, const session::CodeName& name, const session::LoopNest& nest,
                  bool declared);

}  // namespace loom::panels
