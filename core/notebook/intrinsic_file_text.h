// A registered intrinsic as the text of a file of intrinsics (assets/intrinsics/README.md). Private to the room.
#pragma once
#include <string>

#include "core/notebook/notebook.h"

namespace loom::notebook {

// Who executes it is seen from the operation in its implementation; a thread, where there is none.
std::string intrinsicFileText(const RegisteredIntrinsic& intrinsic);

}  // namespace loom::notebook
