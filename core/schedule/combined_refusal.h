#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::schedule {

// Returns why none of several values is legal: the refusal of the first. For tensor intrinsics, whose descriptions
// differ from the program in various ways, each way is a line of the message, with the first intrinsic that differs so
// and how many others do. `refusals` must not be empty.
Error combinedRefusal(const std::vector<Error>& refusals);

}  // namespace loom::schedule
