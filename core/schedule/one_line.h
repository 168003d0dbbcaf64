#pragma once
#include "core/ir/result.h"

namespace loom::schedule {

// Returns the error with the control characters in its message and in the values of its `numbers` escaped as in a
// Python string (`\n`), so that the message stays one line whatever names the program has.
Error inOneLine(Error error);

}  // namespace loom::schedule
