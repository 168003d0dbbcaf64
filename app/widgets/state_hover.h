#pragma once

#include <string>

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}

namespace loom::panels {

/// What a state's mark says while it is hovered, within ImGui::BeginTooltip: its lines, its note, its time and where
/// that is from.
void drawStateHover(const window::Look& look, const session::Session& session, int node);

}  // namespace loom::panels
