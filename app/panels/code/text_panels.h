#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Make the panels TVMScript and CUDA, which show the current state, that is, the program after the schedule steps
/// applied so far, as TVMScript and as the CUDA kernel that it is lowered to. While a step is previewed, they show the
/// state that it leads to. The panel CUDA says why if the state can't be lowered to a kernel. Lines that the last step
/// added or changed carry a bar and a sign; while two states are compared, lines that differ between the two do.
/// Selecting a line selects the loops, blocks and buffers that the line is about, and so their lines in the other
/// panel.
std::unique_ptr<Panel> makeTvmScript();
std::unique_ptr<Panel> makeCuda();

}  // namespace loom::panels
