#pragma once

#include "app/text/text.h"
#include "core/sass/opcode.h"

namespace loom::panels {

/// Returns the name, as the user reads it, of a pipe of the multiprocessor: "tensor core", "copy engine". The text is
/// static.
const text::Text& wordOf(sass::Pipe pipe);

}  // namespace loom::panels
