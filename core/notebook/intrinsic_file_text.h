// Writes an intrinsic that a script registers as the text of a file of intrinsics (assets/intrinsics/README.md).
// Internal to core/notebook.
#pragma once
#include <string>

#include "core/notebook/notebook.h"

namespace loom::notebook {

// Returns the text of a file with this one intrinsic. The text's EXECUTION, the threads that execute the implementation
// together, is the group (such as a warp) of the first operation in it that a group of threads executes, and "thread"
// if there is no such operation.
std::string intrinsicFileText(const RegisteredIntrinsic& intrinsic);

}  // namespace loom::notebook
