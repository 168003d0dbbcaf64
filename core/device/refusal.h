// The error of a scheduled program that can't be lowered to a kernel.
#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::device {

// Returns an error "NotAKernel". `message` states the rule that is broken, with its numbers; `subjects` are the loops,
// blocks and buffers concerned; `remedy` is the step that would make the program a kernel, empty if there is none;
// `forbids` says what forbids it: the program itself, or the hardware, TVM, the input or the environment.
Failure notAKernel(Message message, std::vector<ir::Id> subjects = {}, Message remedy = {},
                   Forbids forbids = Forbids::Program);

}  // namespace loom::device
