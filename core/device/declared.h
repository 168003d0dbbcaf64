#pragma once

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

/// Checks that the kernel declares every name that its statements use: a variable must belong to a loop around its use,
/// to an axis of the hardware or to a scalar; a buffer must be a parameter or an allocation. Lowering checks each
/// kernel that it returns, and `verify` the kernel after each pass. Error "NotAKernel", whose subjects are the block
/// around the use and, for a buffer, the buffer, for the first use of a name that isn't declared.
Result<void> checkDeclared(const Kernel& kernel);

}  // namespace loom::device
