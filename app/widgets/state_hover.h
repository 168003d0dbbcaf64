#pragma once

#include <string>

namespace loom::window {
struct Look;
}
namespace loom::workbench {
class Session;
}

namespace loom::panels {

/// What a state's mark says while it is hovered, within ImGui::BeginTooltip: its lines, its note, its time and where
/// that is from.
void drawStateHover(const window::Look& look, const workbench::Session& bench, int node);

}  // namespace loom::panels
