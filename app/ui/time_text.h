#pragma once

#include "app/notation/time_text.h"

// Functions that write measured and predicted times, given in µs, as text (app/notation/time_text.h) under the panels'
// namespace.
namespace loom::panels {

using notation::predictedText;
using notation::timeText;

}  // namespace loom::panels
