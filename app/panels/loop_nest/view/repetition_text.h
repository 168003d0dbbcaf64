#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::notation {

/// Returns a warning for a row of the loop nest, one line of parts with " · " between. A part says of an axis of
/// threadIdx or blockIdx, to which no loop is bound, that all its threads or blocks execute the same work (or that one
/// works while the others wait, if lowering adds a guard). The last part says in which share of the runs the block's
/// condition is true if that is below 95 %. Returns "" if there is no part.
std::string repetitionText(const session::NestRow& row, text::Language language);

}  // namespace loom::notation
