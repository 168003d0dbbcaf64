#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Make the panels TVMScript and CUDA, which show the current, or previewed, state (the program after some schedule
/// steps) as text. The panel CUDA says why if the state can't be lowered to a kernel. Lines that the last step added or
/// changed, or while two states are compared those that differ, carry a bar and a sign beside the line. Selecting a
/// line selects the loops, blocks and buffers that the line is about, and so their lines in the other panel.
std::unique_ptr<Panel> makeTvmScript();
std::unique_ptr<Panel> makeCuda();

}  // namespace loom::panels
