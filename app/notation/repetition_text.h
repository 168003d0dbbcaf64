#pragma once

#include <string>

#include "app/text/text.h"
#include "app/workbench/loop_nest.h"

namespace loom::notation {

/// What threads do once more for nothing in a line of the nest, as its warning says it; empty: nothing.
std::string repetitionText(const workbench::NestRow& row, text::Language language);

}  // namespace loom::notation
