#pragma once

#include <string>

#include "app/text/help.h"
#include "app/widgets/context.h"

namespace loom::session {
struct Program;
}

namespace loom::panels {

/// Draws what a panel about kernels shows for a state (the program after some schedule steps) that can't be lowered to
/// a kernel: `sentence`, which says why; the button "Make it fast", which constructs a schedule by rules; a button that
/// goes to the next kernel on the branch on show, and the primitives that lead there; a button that goes to the last
/// kernel before; and what the panel shows for a kernel, which is taken from `help`, the panel's help. Each of the last
/// two buttons is missing if there is no such kernel, or if it isn't known yet. While a step is previewed, only the
/// sentence is drawn.
void drawNoKernel(PanelContext& context, const std::string& sentence, const text::PanelHelp& help);

/// If `program` is no kernel, calls `drawNoKernel` with a sentence on the reason and returns true. Otherwise draws
/// nothing and returns false.
bool drawUnlessKernel(PanelContext& context, const session::Program& program, const text::PanelHelp& help);

/// If the current state has no machine code, draws why, or that it is still being compiled or disassembled, and returns
/// true; for a state that is no kernel it draws what `drawUnlessKernel` does. Otherwise draws nothing and returns
/// false. `help` is the help of the panel, as for `drawNoKernel`.
bool drawNoMachineCode(PanelContext& context, const text::PanelHelp& help);

}  // namespace loom::panels
