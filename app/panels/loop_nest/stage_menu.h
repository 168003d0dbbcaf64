#pragma once

#include <vector>

#include "app/panels/loop_nest/view/stages.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns the entries of the context menu for the stages of a pipelined loop, whose words are in the current language:
/// of what stands right below one its stage, its place and whether its copies are asynchronous; of the loop itself its stages, and
/// of what is further inside the same as of the statement around it. Empty where no pipeline is. Nothing has been tried
/// yet.
std::vector<tune::MenuEntry> stageMenu(const window::Look& look, const session::LoopNest& nest, ir::Id id);

}  // namespace loom::panels
