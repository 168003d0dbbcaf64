#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::report {

/// The loop nest as the panel draws it: nested bars with colour and letters by axis, extents, runs, work and bytes
/// moved, and what the last step changed. An element of HTML, or with `standalone` a file.
std::string nestPicture(const session::LoopNest& nest, text::Language language, const std::string& label,
                        bool standalone = false);

}  // namespace loom::report
