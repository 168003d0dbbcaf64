#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"

namespace loom::session {

/// Returns the letters that stand for what a loop is bound to: "bx" for blockIdx.x, "ty" for threadIdx.y, "ve" for
/// vectorized, "s" for serial, …; with "Σ" behind them if the loop feeds a reduction axis: "tyΣ". A serial loop over a
/// reduction axis has "Σ" alone.
std::string lettersOf(const NestRow& loop);

/// Returns between which memory levels (G global, S shared, R registers) a block, or its init, moves bytes: "G→S" for a
/// copy. For a block that computes, returns the levels that it reads and those that it writes, "G+S→R"; registers are
/// left out of the levels read if the block reads other levels. If the levels read are then those written, they stand
/// alone: "G". Returns "" for a loop, and for a block that computes if it moves nothing outside registers, if its bytes
/// aren't known, or if it only reads or only writes.
std::string routeText(const NestRow& row);

/// Returns a text on a row of a software pipeline, a loop whose iterations overlap: "3 stages" for the pipelined loop,
/// "stage 0" for a statement right below it ("stage 0, 1" if it has entries in several stages), both, joined by " · ",
/// for a pipelined loop right below another; "" for other rows. `stages` and `stage` are the phrases of the user's
/// language for the number of stages and for the stage, with {} for the number: "{} stages", "stage {}".
std::string overlapText(const NestRow& row, const char* stages, const char* stage);

}  // namespace loom::session
