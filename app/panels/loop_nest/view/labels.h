#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Returns the letters beside the colour of a loop: "bx", or "tyΣ" where the loop feeds a reduction.
std::string lettersOf(const NestRow& loop);

/// Returns the route of a row's bytes: "G→S" for a copy. For a block that computes, the levels it reads and the level
/// it writes, "G+S→R"; operands in registers are left out when the block reads other levels. Empty if nothing outside
/// registers is moved.
std::string routeText(const NestRow& row);

}  // namespace loom::session
