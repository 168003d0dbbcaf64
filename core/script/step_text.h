// A step line as text, when it wasn't read from one or isn't as it was read.
#pragma once
#include <string>

#include "core/script/step_line.h"

namespace loom::script {

// Returns the line of a call: `i, *rest = sch.get_loops(b)`; with a comma after a single name that takes the one item
// of a list (`b1, = …`).
std::string printLine(const StepCall& call);

}  // namespace loom::script
