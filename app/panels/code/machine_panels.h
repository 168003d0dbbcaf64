#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// What the compiler made of the state: PTX, and SASS where there is a disassembler. Registers and spills in the head,
/// the hot loop bracketed; a selected line selects the line of the CUDA text that it comes from, and all that come from
/// the same.
std::unique_ptr<Panel> makePtx();
std::unique_ptr<Panel> makeSass();

}  // namespace loom::panels
