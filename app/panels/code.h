#pragma once

#include <vector>

#include "app/panels/panel.h"
#include "core/ir/id.h"

namespace loom::workbench {
struct Derived;
}

namespace loom::panels {

/// The state's TVMScript, and its CUDA or why there is none. Changed lines carry a bar and a sign; a selected line
/// selects its loops, blocks and buffers, and so the lines of the same in the other panel.
std::unique_ptr<Panel> makeTvmScript();
std::unique_ptr<Panel> makeCuda();

/// What a line of the CUDA text (from 1) is about: its innermost loop and its block.
std::vector<ir::Id> idsOfCudaLine(const workbench::Derived& derived, int line);

}  // namespace loom::panels
