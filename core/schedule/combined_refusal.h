#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::schedule {

// Why none of several values can be: the refusal of the first. Of tensor intrinsics, whose descriptions differ from the
// program in ways of their own, each way is a line of the message, with the first intrinsic that differs so and how
// many others do. `refusals` isn't empty.
Error combinedRefusal(const std::vector<Error>& refusals);

}  // namespace loom::schedule
