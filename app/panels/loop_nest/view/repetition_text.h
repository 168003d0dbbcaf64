#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::notation {

/// Returns a warning for a row of the loop nest: along which axes of threadIdx or blockIdx, to which no loop is bound,
/// all threads or blocks execute the same work (or one works while the others wait, if lowering adds a guard), and in
/// which share of the runs the block's condition is true if that is below 95 %. Returns "" if neither applies.
std::string repetitionText(const session::NestRow& row, text::Language language);

}  // namespace loom::notation
