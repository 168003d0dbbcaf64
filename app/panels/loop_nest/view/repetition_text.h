#pragma once

#include <string>

#include "app/panels/loop_nest/view/loop_nest.h"
#include "app/text/text.h"

namespace loom::notation {

/// What threads do once more for nothing in a line of the nest, as its warning says it; empty: nothing.
std::string repetitionText(const session::NestRow& row, text::Language language);

}  // namespace loom::notation
