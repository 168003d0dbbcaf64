#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Makes the panel History: the tree of states, a row for each, with its number, its step, and its time with the origin
/// of that. A click selects a state, a right click opens what can be done with it (state_menu.h).
std::unique_ptr<Panel> makeHistory();

}  // namespace loom::panels
