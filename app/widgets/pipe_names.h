#pragma once

#include "app/text/text.h"
#include "core/sass/opcode.h"

namespace loom::panels {

/// The pipe that executes an instruction, for people: "tensor core", "copy engine".
const text::Text& wordOf(sass::Pipe pipe);

}  // namespace loom::panels
