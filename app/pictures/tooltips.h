#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/pictures/rendering_defects.h"
#include "app/ui/short_step.h"

namespace loom::window {

/// Returns the texts of a window that are cut with "…" and whose hidden part no tooltip shows. The pointer is put on
/// each of those in `shortened` that the window shows, and the tooltip is read. `frame` draws one frame; a picture has
/// to be taken before.
std::vector<RenderingDefect> truncatedWithoutTooltip(const std::function<void()>& frame, const std::string& window,
                                                     const std::vector<panels::EllipsizedText>& shortened);

}  // namespace loom::window
