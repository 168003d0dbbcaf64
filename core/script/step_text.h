// Prints a step line (a line of Python that calls a schedule primitive) that wasn't read from a text, or was changed
// since.
#pragma once
#include <string>

#include "core/script/step_line.h"

namespace loom::script {

// Returns the text of a step line, made of its targets and its value: `i, *rest = sch.get_loops(b)`; a single name to
// which a list of one item is unpacked has a comma (`b1, = …`). Without targets it is the value alone. It ends without
// a line feed. StepCall::source isn't used.
std::string printLine(const StepCall& call);

}  // namespace loom::script
