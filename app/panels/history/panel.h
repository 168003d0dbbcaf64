#pragma once

#include "app/panels/panel.h"

namespace loom::panels {

/// Makes the panel History: the tree of states, the programs that schedule steps lead to, with a row for each state. A
/// row has the state's number, the step that led to it, and the kernel's time with its origin (measured, predicted, …).
/// A click makes a state the current one; a right click opens a menu of what can be done with it (state_menu.h).
std::unique_ptr<Panel> makeHistory();

}  // namespace loom::panels
