#pragma once

#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/text/text.h"

namespace loom::report {

/// Returns the picture of the memory hierarchy as the panel Memory Hierarchy draws it: levels as bands, buffers in the
/// column of their operand, and as arrows the bytes that the program as written moves per thread block (for global
/// memory, in total). The result is an SVG element for an HTML page, or with `standalone` an SVG file. `label` is what
/// screen readers say.
std::string memoryPicture(const session::MemoryView& view, text::Language language, const std::string& label,
                          bool standalone = false);

}  // namespace loom::report
