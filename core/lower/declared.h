// Every name in a kernel's text is declared: the last look at a kernel before it is written down.
#pragma once
#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::lower {

// Error "NotAKernel" for a variable that no loop around its use and no axis of the hardware is, and for a buffer that
// is neither parameter nor allocation; with the block that uses it.
Result<void> checkDeclared(const device::Kernel& kernel);

}  // namespace loom::lower
