#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::report {

/// Returns the picture of a loop nest as the panel Loop Nest draws it: nested bars with colour and letters by axis,
/// extents, how often each runs, FLOP and bytes moved, and what the last schedule step changed. The result is an SVG
/// element for an HTML page, or with `standalone` an SVG file. `label` is what screen readers say.
std::string nestPicture(const session::LoopNest& nest, text::Language language, const std::string& label,
                        bool standalone = false);

}  // namespace loom::report
