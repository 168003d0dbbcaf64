#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Make the panels PTX and SASS, which show what the compiler produced for the current state; SASS needs a
/// disassembler, and says so where there is none. The head of the panel has registers and spills, and the hot loop is
/// bracketed. Selecting a line selects the line of the CUDA text that it comes from, and all other lines that come from
/// there.
std::unique_ptr<Panel> makePtx();
std::unique_ptr<Panel> makeSass();

}  // namespace loom::panels
