#pragma once
#include <vector>

#include "core/ir/result.h"

namespace loom::schedule {

// Returns one error for a step that is refused with each of several values of a parameter; `refusals` has the error for
// each value and must not be empty. The result is the first of them. If the values are tensor intrinsics, its message
// has a line for each of the first four ways in which their descriptions differ from the program, with the first
// intrinsic that differs in this way and the number of the others, and then a line with the number of the further ways.
Error combinedRefusal(const std::vector<Error>& refusals);

}  // namespace loom::schedule
