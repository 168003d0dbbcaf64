#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::notation {

/// Returns the warning of a line of the nest on work that threads repeat; empty if they repeat none.
std::string repetitionText(const session::NestRow& row, text::Language language);

}  // namespace loom::notation
