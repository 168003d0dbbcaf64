#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/pictures/rendering_defects.h"
#include "app/ui/short_step.h"

namespace loom::window {

/// The texts of a window that are shortened by "…" and whose hidden part no hover tells: the pointer is put on each of
/// those in `shortened` that the window shows, and what comes up is read. `frame` draws one frame; a picture is to be
/// taken before.
std::vector<RenderingDefect> truncatedWithoutTooltip(const std::function<void()>& frame, const std::string& window,
                                                     const std::vector<panels::EllipsizedText>& shortened);

}  // namespace loom::window
