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

/// Returns what a row says of iterations that overlap: "3 stages" of a loop, "stage 0" of what is right below it, both of
/// a loop in a loop; "" for other rows. `stages` and `stage` are the words, with {} for the number.
std::string overlapText(const NestRow& row, const char* stages, const char* stage);

}  // namespace loom::session
