// Writes an intrinsic that a script registers as the text of a file of intrinsics (assets/intrinsics/README.md).
// Internal to core/notebook.
#pragma once
#include <string>

#include "core/notebook/notebook.h"

namespace loom::notebook {

// Returns the text of a file with this one intrinsic. Its execution group is that of the first operation in its
// implementation that a group of threads executes; a single thread if there is none.
std::string intrinsicFileText(const RegisteredIntrinsic& intrinsic);

}  // namespace loom::notebook
