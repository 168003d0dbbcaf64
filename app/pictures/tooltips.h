#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/pictures/rendering_defects.h"
#include "app/ui/short_step.h"

namespace loom::window {

/// Returns the texts of the ImGui window named `window` that are cut with "…" and whose hidden part no tooltip shows,
/// as defects of kind kShortened. `shortened` has the texts that panels have cut, as noteShortened recorded them;
/// recording must have ended, or `shortened` be a copy. For each of the texts that the window shows, the function puts
/// the pointer on it, draws frames by `frame`, one a call, and reads the tooltip that appears. These frames show
/// tooltips, so a picture of the window must be taken before. Returns none if there is no such window.
std::vector<RenderingDefect> truncatedWithoutTooltip(const std::function<void()>& frame, const std::string& window,
                                                     const std::vector<panels::EllipsizedText>& shortened);

}  // namespace loom::window
