#pragma once

#include "app/panels/code/view/names.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Draws, inside a tooltip, what a word of the code stands for. `nest` has the loops. With `declared`, buffers are
/// described as the TVMScript declares them, or else as the kernel allocates them.
void drawCodeName(const window::Look& look, const session::CodeName& name, const session::LoopNest& nest,
                  bool declared);

}  // namespace loom::panels
