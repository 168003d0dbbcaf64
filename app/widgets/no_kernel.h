#pragma once

#include <string>

#include "app/text/help.h"
#include "app/widgets/context.h"

namespace loom::session {
struct Program;
}

namespace loom::panels {

/// Draws what a panel about kernels shows for a state that is no kernel: `sentence`, which says why; links to the
/// nearest states on the path that are kernels; the primitives that lead to the next one; and what the panel will show
/// then, of which its `help` tells. During a preview only the sentence is drawn.
void drawNoKernel(PanelContext& context, const std::string& sentence, const text::PanelHelp& help);

/// Like `drawNoKernel`, with the sentence "No kernel here: …". Draws nothing and returns false if the program is a
/// kernel.
bool drawUnlessKernel(PanelContext& context, const session::Program& program, const text::PanelHelp& help);

/// Draws why the current state has no machine code to show in a panel with this help, or that the code is on its way.
/// Draws nothing and returns false if there is some.
bool drawNoMachineCode(PanelContext& context, const text::PanelHelp& help);

}  // namespace loom::panels
