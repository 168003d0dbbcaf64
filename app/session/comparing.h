#pragma once

#include "app/panels/code/view/derived.h"

namespace loom::workbench {

/// The values of a state with marks against another's, whatever lies between them: lines of TVMScript and CUDA, and
/// loops and blocks by name, extent and axis, since states of two branches share no ids.
Derived markedAgainst(const Derived& state, const Derived& other);

}  // namespace loom::workbench
