#pragma once

#include <string>

namespace loom::window {
struct Look;
}
namespace loom::session {
class Session;
}

namespace loom::panels {

/// Draws the contents of the tooltip of a state (the program after some schedule steps): the step lines that lead to it
/// from the state before, the user's note on it, and its measured or recorded time with device and date, or else its
/// predicted time, or else that it is no kernel or wasn't measured. `node` is the state's index in the history. To be
/// called between ImGui::BeginTooltip and ImGui::EndTooltip.
void drawStateHover(const window::Look& look, const session::Session& session, int node);

}  // namespace loom::panels
