#pragma once

#include "app/notation/quantity_text.h"

namespace loom::panels {

using notation::axisText;
using notation::bytesText;
using notation::countText;
using notation::flopsText;
using notation::numberText;

}  // namespace loom::panels
