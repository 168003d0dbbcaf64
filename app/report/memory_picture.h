#pragma once

#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/text/text.h"

namespace loom::report {

/// Returns the picture of the memory hierarchy, as the panel draws it: levels as bands, buffers in the column of their
/// operand, and as arrows the traffic as written, per thread block (that of global memory in total). The result is an
/// element for HTML, or with `standalone` an SVG file.
std::string memoryPicture(const session::MemoryView& view, text::Language language, const std::string& label,
                          bool standalone = false);

}  // namespace loom::report
