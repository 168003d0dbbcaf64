#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::report {

/// Returns the picture of the loop nest, as the panel draws it: nested bars with colour and letters by axis, extents,
/// iterations, work and bytes moved, and what the last step changed. The result is an element for HTML, or with
/// `standalone` an SVG file.
std::string nestPicture(const session::LoopNest& nest, text::Language language, const std::string& label,
                        bool standalone = false);

}  // namespace loom::report
