#pragma once

#include "app/notation/time_text.h"

namespace loom::panels {

using notation::predictedText;
using notation::timeText;

}  // namespace loom::panels
