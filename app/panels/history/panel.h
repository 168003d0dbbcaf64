#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// The tree of states: number, step, time with its origin; a click selects.
std::unique_ptr<Panel> makeHistory();

}  // namespace loom::panels
