// The error of a scheduled program that can't be lowered to a kernel.
#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::device {

// Returns an error "NotAKernel". `message` states the rule that is broken, with its numbers; `subjects` are the loops,
// blocks and buffers concerned; `remedy` is a text to show that names the step that would make the program a kernel,
// empty if there is none (Error::remedy); `forbids` says where the rule comes from: from what the program means, which
// the schedule has to keep, from the hardware, a limit of TVM, wrong input of the user, or the environment.
Failure notAKernel(Message message, std::vector<ir::Id> subjects = {}, Message remedy = {},
                   Forbids forbids = Forbids::Program);

}  // namespace loom::device
