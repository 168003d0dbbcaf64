#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns what undo would do, or redo if `undo` is false, for a menu or a tooltip: "Undo: step 12, split(l3, [None,
/// 16])". `change` describes what the user did to the history of schedule steps. Returns "Undo" or "Redo" alone if
/// `change` is empty, because there is nothing to undo or redo.
std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo);

}  // namespace loom::panels
