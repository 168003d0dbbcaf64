#pragma once

#include <vector>

#include "app/panels/loop_nest/view/stages.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns entries of the context menu of the loop or block `id` that edit a software pipeline, in the current
/// language. If a statement of a pipelined loop (the innermost such loop) contains `id`, an entry has as its choices
/// the steps that move this statement to another stage, move it in the order, and make the copies of its stage
/// asynchronous or not. If `id` is a pipelined loop itself and no such statement, the choices of an entry make the
/// copies of each stage asynchronous or not. Returns no entries if `id` belongs to no pipeline, or if the loop's
/// annotations don't fit its statements. Whether the schedule steps are legal isn't checked (session::stageRefusal
/// checks it).
std::vector<tune::MenuEntry> stageMenu(const window::Look& look, const session::LoopNest& nest, ir::Id id);

}  // namespace loom::panels
