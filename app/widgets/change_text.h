#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// Returns a text for a menu or a tooltip that names the change that undo takes back, "Undo: step 12, split(l3, [None,
/// 16])", or, if `undo` is false, the one that redo makes again. The text is in the language of `look`. `change` is
/// what Edits::undoable returns, or Edits::redoable for redo; if it is empty, only "Undo" or "Redo" is returned.
std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo);

}  // namespace loom::panels
