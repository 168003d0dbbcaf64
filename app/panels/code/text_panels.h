#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Make the panels TVMScript and CUDA. The latter says why if the state is no kernel. Changed lines carry a bar and a
/// sign. Selecting a line selects its loops, blocks and buffers, and so the lines about them in the other panel.
std::unique_ptr<Panel> makeTvmScript();
std::unique_ptr<Panel> makeCuda();

}  // namespace loom::panels
