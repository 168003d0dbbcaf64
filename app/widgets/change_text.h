#pragma once

#include <optional>
#include <string>

#include "app/session/session.h"

namespace loom::window {
struct Look;
}

namespace loom::panels {

/// What undo (else redo) would do, for a menu or a hover: "Undo: step 12, split(l3, [None, 16])"; "Undo" where there is
/// nothing to undo.
std::string changeText(const window::Look& look, const std::optional<session::UndoLabel>& change, bool undo);

}  // namespace loom::panels
