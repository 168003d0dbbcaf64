// What stops a program from being a kernel, as an error value.
#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::device {

// Error "NotAKernel": `message` says the rule and its numbers, `subjects` are the loops, blocks and buffers concerned,
// and `remedy` is the step that would make it a kernel, or empty.
Failure notAKernel(Message message, std::vector<ir::Id> subjects = {}, Message remedy = {},
                   Forbids forbids = Forbids::Program);

}  // namespace loom::device
