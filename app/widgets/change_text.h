#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns what undo would do, or redo if `undo` is false, for a menu or a tooltip: "Undo: step 12, split(l3, [None,
/// 16])". `change` is what Edits::undoable returns, or Edits::redoable for redo; if it is empty, only "Undo" or "Redo"
/// is returned.
std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo);

}  // namespace loom::panels
