#pragma once

#include "app/window/look.h"
#include "app/workbench/code_names.h"

namespace loom::panels {

/// Inside a tooltip: what a word of the code stands for. `nest` has the loops; of TVMScript, buffers are as `declared`.
void drawCodeName(const window::Look& look, const workbench::CodeName& name, const workbench::LoopNest& nest,
                  bool declared);

}  // namespace loom::panels
