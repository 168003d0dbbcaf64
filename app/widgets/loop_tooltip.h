#pragma once

namespace loom::window {
struct Look;
}
namespace loom::session {
struct NestRow;
}

namespace loom::panels {

/// Draws, inside a tooltip, what is known of a loop or block: what runs the row, how often, what it was made from, and
/// what it computes and moves.
void drawLoopTooltip(const window::Look& look, const session::NestRow& row);

}  // namespace loom::panels
