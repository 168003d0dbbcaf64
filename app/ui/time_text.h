#pragma once

#include "app/notation/time_text.h"

// Functions that write times as text (app/notation/time_text.h) under the panels' namespace. Both take a time in µs
// that isn't negative (`double`) and return a std::string, in the unit in which the time reads best. `timeText` writes
// "5.66 µs", and `predictedText`, for predicted times, the same after a sign: "≈ 5.66 µs".
namespace loom::panels {

using notation::predictedText;
using notation::timeText;

}  // namespace loom::panels
