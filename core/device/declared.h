#pragma once

#include "core/device/program.h"
#include "core/ir/result.h"

namespace loom::device {

/// Checks that the kernel declares every name that its statements use: a variable by a loop around its use, an axis of
/// the hardware or a scalar, a buffer as a parameter or an allocation. Lowering checks each kernel that it returns, and
/// `verify` the kernel after each pass. Error "NotAKernel", with the block and the buffer as subjects, for the first
/// use of a name that isn't declared.
Result<void> checkDeclared(const Kernel& kernel);

}  // namespace loom::device
