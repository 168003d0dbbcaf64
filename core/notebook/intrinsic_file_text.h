// A registered intrinsic as the text of a file of intrinsics (assets/intrinsics/README.md). Private to the room.
#pragma once
#include <string>

#include "core/notebook/notebook.h"

namespace loom::notebook {

// Returns the text of a file of intrinsics. The group that executes it is read off the operation in its implementation;
// a thread, if it has none.
std::string intrinsicFileText(const RegisteredIntrinsic& intrinsic);

}  // namespace loom::notebook
