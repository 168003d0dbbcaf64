#pragma once

namespace loom::window {
struct Look;
}
namespace loom::session {
struct NestRow;
}

namespace loom::panels {

/// Draws the contents of a tooltip, a description of a loop or block: for a loop, what its iterations are bound to
/// (thread blocks, threads, …); how often the body is executed; by which steps the row came about; and what it computes
/// (FLOP) and moves (bytes). To be called between ImGui::BeginTooltip and ImGui::EndTooltip.
void drawLoopTooltip(const window::Look& look, const session::NestRow& row);

}  // namespace loom::panels
