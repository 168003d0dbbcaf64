// Writes an intrinsic that a script registers as the text of a file of intrinsics (assets/intrinsics/README.md).
// Internal to core/notebook.
#pragma once
#include <string>

#include "core/notebook/notebook.h"

namespace loom::notebook {

// Returns the text of a file with this one intrinsic. The text's EXECUTION says which threads execute the
// implementation together ("warp"): those of the first operation in it that more than one thread executes, or "thread"
// if there is no such operation.
std::string intrinsicFileText(const RegisteredIntrinsic& intrinsic);

}  // namespace loom::notebook
