// Opens a Python text that holds a program as a new target. A text with step lines alone, to be applied to the open
// target, is read by apply_script.h.
#pragma once
#include <string>
#include <vector>

#include "core/document/target.h"
#include "core/notebook/notebook.h"

namespace loom::document {

// Opens a Python text with a program in it (core/notebook). The target has the function or module, the states that the
// text's schedules lead to, the last of which is the current one, and the tensor intrinsics that the text registers.
// `file` is named in errors. Errors as those of notebook::readText.
Result<Target> openText(const std::string& text, const std::string& file, const schedule::Environment& environment);

}  // namespace loom::document
