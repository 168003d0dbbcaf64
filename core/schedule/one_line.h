#pragma once
#include "core/ir/result.h"

namespace loom::schedule {

// A refusal is one line, whatever names the program has: control characters in its message stand as in a string of
// Python, `\n`.
Error inOneLine(Error error);

}  // namespace loom::schedule
