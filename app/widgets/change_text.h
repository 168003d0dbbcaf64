#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns what undo would do, or redo if `undo` is false, for a menu or a tooltip: "Undo: step 12, split(l3, [None,
/// 16])". `change` is the last change of the history of schedule steps; if it is empty, there is nothing to undo, and
/// only "Undo" or "Redo" is returned.
std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo);

}  // namespace loom::panels
