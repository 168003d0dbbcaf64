#pragma once

#include "app/panels/code/view/names.h"
#include "app/ui/look.h"

namespace loom::panels {

/// Inside a tooltip: what a word of the code stands for. `nest` has the loops; of TVMScript, buffers are as `declared`.
void drawCodeName(const window::Look& look, const session::CodeName& name, const session::LoopNest& nest,
                  bool declared);

}  // namespace loom::panels
