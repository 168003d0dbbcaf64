#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Make the panels PTX and SASS, which show what NVRTC compiled the kernel of the current state to (the program after
/// the schedule steps applied so far). While a step is previewed, SASS shows the code of the state that the step leads
/// to, once that is compiled and disassembled; until then, and in PTX always, a line says that the code is of the
/// current state. The panel SASS needs a disassembler (nvdisasm), and says so if there is none. The head of the panel
/// has the kernel's registers per thread and its spills in bytes; a bracket marks the hot loop (of SASS, the loop that
/// executes the most instructions; of PTX, the innermost loop with the most arithmetic). Selecting a line selects the
/// line of the CUDA text that it was compiled from, and with that all other lines compiled from it.
std::unique_ptr<Panel> makePtx();
std::unique_ptr<Panel> makeSass();

}  // namespace loom::panels
