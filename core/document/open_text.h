// Opens a Python text that contains a program as a new target: a program with the history of its states (programs after
// some schedule steps). (A text with step lines only is applied to the target that is open instead.)
#pragma once
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// Opens a Python text with a program in it, which is interpreted. The target has the function or module, the states
// that the text's schedules lead to, the last of which becomes the current one, and the tensor intrinsics that the text
// registers. A line that is refused, or at which the interpreter stops, is no error: the target has the states before
// it, and Target::refusal says why. `file` is named in errors. Errors: "ParseError" if the text holds no program or
// isn't Python; "ValueError" if the program can't be scheduled, or a registered intrinsic isn't a pair of functions
// that can be one.
Result<Target> openText(const std::string& text, const std::string& file, const schedule::Environment& environment);

}  // namespace loom::document
