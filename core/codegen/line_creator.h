#pragma once

#include <string>
#include <vector>

#include "core/ir/message.h"

namespace loom::codegen {

/// Returns who created a line of a CUDA text, as the comment over the line, or over the loops around it, has it:
/// "cache_read, step 14" of "// X_shared: cache_read, step 14". `line` counts from 1. Empty if no comment says so, or
/// if the text has no such line.
Message creatorOfLine(const std::vector<std::string>& source, int line);

}  // namespace loom::codegen
