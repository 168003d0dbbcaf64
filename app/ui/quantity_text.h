#pragma once

#include "app/notation/quantity_text.h"

// Functions that write quantities as text (app/notation/quantity_text.h) under the panels' namespace: counts, bytes,
// FLOP, numbers beside axes, and whole numbers.
namespace loom::panels {

using notation::axisText;
using notation::bytesText;
using notation::countText;
using notation::flopsText;
using notation::numberText;

}  // namespace loom::panels
