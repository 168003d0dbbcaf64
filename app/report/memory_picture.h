#pragma once

#include <string>

#include "app/panels/memory/view/memory.h"
#include "app/text/text.h"

namespace loom::report {

/// The memory hierarchy as the panel draws it: levels as bands, buffers in the column of their operand, traffic per
/// block as written (of global memory in all) as arrows. An element of HTML, or with `standalone` a file.
std::string memoryPicture(const session::MemoryView& view, text::Language language, const std::string& label,
                          bool standalone = false);

}  // namespace loom::report
