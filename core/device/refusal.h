// What stops a program from being a kernel, as an error value.
#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::device {

// Returns an error "NotAKernel". `message` states the rule and its numbers; `subjects` are the loops, blocks and
// buffers concerned; `remedy` is the step that would make the state a kernel, empty if there is none.
Failure notAKernel(Message message, std::vector<ir::Id> subjects = {}, Message remedy = {},
                   Forbids forbids = Forbids::Program);

}  // namespace loom::device
