// Reads from a CUDA text which schedule step created a line.
#pragma once

#include <string>
#include <vector>

#include "core/ir/message.h"

namespace loom::codegen {

/// Returns which schedule step created a line of a CUDA text, as the comment directly above the line, or directly above
/// a loop around it, says: "cache_read, step 14" from "// X_shared: cache_read, step 14". The innermost such comment
/// counts. `source` are the lines of the text, `line` counts from 1. Empty if there is no such comment or no such line.
Message creatorOfLine(const std::vector<std::string>& source, int line);

}  // namespace loom::codegen
