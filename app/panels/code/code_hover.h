#pragma once

#include "app/panels/code/view/names.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws the contents of a tooltip, a description of the loop, axis or buffer that a word of code names. `nest` is the
/// loop nest that `name.row` refers to. If `declared`, a buffer is described as TVMScript declares it, else as the
/// kernel allocates it. Draws nothing for a loop that the nest lacks. To be called between ImGui::BeginTooltip and
/// ImGui::EndTooltip.
void drawCodeName(const window::Look& look, const session::CodeName& name, const session::LoopNest& nest,
                  bool declared);

}  // namespace loom::panels
