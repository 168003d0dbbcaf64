#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::panels {

/// Draws what a panel about kernels shows for a state that is no kernel: `sentence`, which says why; links to the
/// nearest states on the path that are kernels; the primitives that lead to the next one; and what the panel with the
/// id `panel` will show then. During a preview only the sentence is drawn.
void drawNoKernel(PanelContext& context, const std::string& sentence, const char* panel);

/// Draws why the current state has no machine code to show in `panel` (an id), or that the code is on its way. Draws
/// nothing and returns false if there is some.
bool drawNoMachineCode(PanelContext& context, const char* panel);

}  // namespace loom::panels
