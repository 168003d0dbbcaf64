#pragma once

#include "app/text/text.h"
#include "core/sass/opcode.h"

namespace loom::panels {

/// Returns the name, for people, of the pipe that executes an instruction: "tensor core", "copy engine".
const text::Text& wordOf(sass::Pipe pipe);

}  // namespace loom::panels
