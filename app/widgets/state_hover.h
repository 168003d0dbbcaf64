#pragma once

#include <string>

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}

namespace loom::panels {

/// Draws the contents of the tooltip of a state: its step lines, the user's note on it, and its measured or recorded
/// time with where that comes from, or else its predicted time, or that it has none. `node` is the state's index in the
/// history. To be called between ImGui::BeginTooltip and ImGui::EndTooltip.
void drawStateHover(const window::Look& look, const session::Session& session, int node);

}  // namespace loom::panels
