#pragma once

#include <string>

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}

namespace loom::panels {

/// Draws the tooltip of a state's mark: its lines, its note, and its time with the origin of that. To be called between
/// ImGui::BeginTooltip and ImGui::EndTooltip.
void drawStateHover(const window::Look& look, const session::Session& session, int node);

}  // namespace loom::panels
