#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The state's TVMScript, and its CUDA or why there is none. Changed lines carry a bar and a sign; a selected line
/// selects its loops, blocks and buffers, and so the lines of the same in the other panel.
std::unique_ptr<Panel> makeTvmScript();
std::unique_ptr<Panel> makeCuda();

}  // namespace loom::panels
