#pragma once

#include <string>

#include "app/widgets/context.h"

namespace loom::panels {

/// What a panel about kernels shows of a state that is none: why, in `sentence`; the nearest states on the way that are
/// kernels, a click away, and the primitives that lead to the next; what `panel` (its id) will show of them. In a
/// preview the sentence alone.
void drawNoKernel(PanelContext& context, const std::string& sentence, const char* panel);

/// Draws why the current state has no machine code to show in `panel` (an id), or that the code is on its way. Draws
/// nothing and returns false if there is some.
bool drawNoMachineCode(PanelContext& context, const char* panel);

}  // namespace loom::panels
